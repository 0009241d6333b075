// Draws a game against the tables: the choices before it, the side to move, hints.
import { number_field, html } from "../drawing.js";
import { percent, plural, text, whole_number } from "../language.js";
import { signed, words_of } from "../values.js";
import { best_of, LEVELS, slip_of } from "./opponent.js";

const MOST_SEEDS = 999999;

// texts: play.win play.draw play.loss play.win_by play.draw_by play.loss_by
// texts: play.level.perfect play.level.any play.level.scores play.level.outcomes play.level.chance
function level_name(level, kind) {
  const slip = slip_of(kind, level);
  if (slip === null) return text(`play.level.${level}`);
  return text(`play.level.${kind}`, { n: kind === "chance" ? percent(slip, 0) : slip });
}

function choice(id, name, options, chosen, change) {
  const select = html("select", { id, change: () => change(select.value) }, options.map(([value, words]) => html("option", { value, selected: value === chosen }, words)));
  return html("label", {}, html("span", { class: "field_name" }, name), select);
}

/** Draws the choices before a game: seat, strength, and choices that few players change. */
export function show_invitation(host, { seats, kind, wanted, animated, on_change, on_animated, on_start }) {
  const animation = html("input", { type: "checkbox", id: "play_animated", checked: animated, change: () => on_animated(animation.checked) });
  host.append(
    html(
      "div",
      { class: "invitation" },
      choice("play_turn", text("play.seat"), seats.map(({ turn, name }) => [turn, name]), wanted.turn, (turn) => on_change({ turn })),
      choice("play_level", text("play.strength"), LEVELS.map((level) => [level, level_name(level, kind)]), wanted.level, (level) => on_change({ level })),
      html("button", { type: "button", id: "play_start", class: "primary", click: on_start }, text("play.start")),
    ),
    html(
      "details",
      {},
      html("summary", {}, text("play.more")),
      html("p", {}, number_field(text("play.seed"), wanted.seed, 0, MOST_SEEDS, (seed) => on_change({ seed }), { id: "play_seed" })),
      html("p", { class: "quiet" }, text("play.seed_hint")),
      html("p", {}, html("label", { class: "checked" }, animation, ` ${text("play.animated")}`)),
    ),
  );
}

/* The number of moves that keep the value, in words. */
export function hint_words(moves, kind) {
  const [first] = moves;
  const n = best_of(moves).length;
  if (!first?.shown) return text("play.hint.unknown");
  if (kind === "chance") return plural("play.hint.chance", n, { share: words_of(first.shown, kind) });
  const [lower, upper] = first.shown;
  if (lower !== upper) return plural("play.hint.open", n, { lower: signed(lower), upper: signed(upper) });
  const same = moves.filter(({ shown }) => shown && shown[0] === lower && shown[1] === lower).length;
  if (lower === 0) return plural("play.hint.draw", same);
  if (kind === "scores") return plural(lower > 0 ? "play.hint.win_by" : "play.hint.loss_by", same, { by: Math.abs(lower) });
  return lower > 0 ? plural("play.hint.win", n, { same, all: moves.length }) : plural("play.hint.loss", n);
}

/* "win", "draw", "loss" or "unknown" for the side to move, or for who made the move that ended the game. */
function outcome_of({ answer, over, kind }) {
  if (over) return over.colour ?? "unknown";
  if (kind === "chance") return "unknown";
  const bounds = answer.history?.bounds ?? answer.bounds;
  return bounds && bounds[0] === bounds[1] ? ["loss", "draw", "win"][Math.sign(bounds[0]) + 1] : "unknown";
}

const TURNED = { win: "loss", loss: "win", draw: "draw" };

/** The end of a game for the person who has played it: {colour, words}; null if it is not known. `turn` is the person's. */
export function own_result({ answer, over, kind, turn }) {
  if (answer.final && !over) {
    const [own, other] = turn === "S" ? answer.final : [...answer.final].reverse();
    const colour = own === other ? "draw" : own > other ? "win" : "loss";
    return { colour, words: text(`play.${colour}_by`, { own, other }) };
  }
  const outcome = outcome_of({ answer, over, kind });
  const colour = answer.turn === turn ? outcome : TURNED[outcome];
  return colour in TURNED ? { colour, words: text(`play.${colour}`) } : null;
}

/** One or two sentences: the last move, the side to move. */
export function status_words(view) {
  const { mine, turn, name_of, comes_back, to_roll, last } = view;
  const next = mine ? text(to_roll ? "play.roll_now" : "play.your_turn", { side: name_of(turn) }) : text("play.thinking", { side: name_of(turn) });
  return [last, next, comes_back ? text("play.comes_back") : ""].filter(Boolean).join(" ");
}

export function show_status(host, view) {
  const words = view.mine && view.hint > 0 ? hint_words(view.moves, view.kind) : "";
  const searched = words && view.searched ? text("play.searched", { n: whole_number(view.searched.nodes) }) : "";
  host.append(
    html(
      "div",
      { class: "verdict move hidden" },
      html("p", {}, html("strong", {}, status_words(view)), words && html("span", { id: "hint_words" }, ` ${[words, searched].filter(Boolean).join(" ")}`)),
    ),
  );
}

/** The buttons below the board while a game is played. */
export function show_play_steps(host, { mine, over, hint, at, to_go_on, on_undo, on_hint, on_go_on, on_stop }) {
  const button = (id, words, enabled, press, more = {}) => html("button", { type: "button", class: "step", id, disabled: !enabled, click: press, ...more }, words);
  host.append(
    to_go_on ? button("play_on", text("play.go_on"), true, on_go_on, { class: "step primary" }) : "",
    button("play_undo", text("play.undo"), at > 0, on_undo),
    button("play_hint", text(hint > 0 ? "play.show_moves" : "play.hint"), mine && !over && hint < 2, on_hint),
    button("play_stop", text(over ? "play.look" : "play.stop"), true, on_stop),
  );
}

/** Replaces the rolls and their values by one die to throw, then by the roll. */
export function show_play_dice(host, { mine, over, chosen, count, face, on_roll }) {
  if (over || (chosen === null && !mine)) return;
  if (chosen === null && count > 1) host.append(html("div", { class: "rolls" }, html("button", { type: "button", id: "roll_random", class: "primary", click: on_roll }, text("dice.random"))));
  else if (chosen !== null && chosen !== "pass") host.append(html("div", { class: "rolls" }, html("span", { role: "img", "aria-label": text("moves.roll", { roll: chosen }) }, face(chosen))));
}
