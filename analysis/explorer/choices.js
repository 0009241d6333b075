// Draws the choice of the game, its rule set and a first position.
import { html } from "./drawing.js";
import { has_text, text } from "./language.js";

// texts: game.auale game.doushouqi game.phutball game.oca game.oca-asesina
// texts: cycles.even cycles.forced cycles.own-row cycles.own-row-any
// texts: rules.awari rules.abapa rules.base rules.liacs rules.awari,grand-slam=captures

/** The rule set of an address or of a press on a game; the default one if none is named. */
export function set_named(catalogue, { game, rules, cycles }) {
  const sets = catalogue.games.find((one) => one.name === game)?.rule_sets ?? [];
  const named = rules === null || rules === "default" ? sets : sets.filter((one) => one.rules === rules);
  const found =
    named.find((one) => cycles !== null && one.cycles === cycles) ??
    (cycles === null ? (named.find((one) => one.default && one.slices.length > 0) ?? named.find((one) => one.slices.length > 0) ?? named[0]) : null);
  if (found) return { game, rules: found.rules, cycles: found.cycles };
  return { game, rules: rules ?? "default", cycles };
}

/** The first rule set on the page: that of the first game with tables. */
export function first_set(catalogue) {
  const held = catalogue.games.find((game) => game.rule_sets.some((set) => set.slices.length > 0));
  return set_named(catalogue, { game: (held ?? catalogue.games[0]).name, rules: null, cycles: null });
}

function game_name(game) {
  return has_text(`game.${game}`) ? text(`game.${game}`) : game;
}

export function title_of(set) {
  return game_name(set.game);
}

function known_rules(rules) {
  if (has_text(`rules.${rules}`)) return text(`rules.${rules}`);
  const [name, ...flags] = rules.split(",");
  return [has_text(`rules.${name}`) ? text(`rules.${name}`) : name, ...flags].join(", ");
}

/* The names of flags are the same in all languages: the players' name comes first, then the name on the command line. */
export function rules_name({ rules, cycles }) {
  const known = rules === "default" ? text("rules.default") : known_rules(rules);
  if (!cycles) return known;
  return `${known} · ${has_text(`cycles.${cycles}`) ? text(`cycles.${cycles}`) : cycles}`;
}

export function show_games(host, { catalogue, set, on_game }) {
  const link = (game) =>
    html(
      "li",
      {},
      html(
        "a",
        {
          href: `#${game.name}`,
          "aria-current": game.name === set.game ? "page" : null,
          click: (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            on_game(game.name);
          },
        },
        game_name(game.name),
      ),
    );
  host.append(html("ul", {}, catalogue.games.map(link)));
}

/** The same as a list, for a telephone. */
export function show_game_choice(select, { catalogue, set, on_game }) {
  select.replaceChildren(...catalogue.games.map(({ name }) => html("option", { value: name, selected: name === set.game }, game_name(name))));
  select.onchange = () => on_game(select.value);
}

const name_of_set = (set) => JSON.stringify([set.rules, set.cycles]);

/* All rule sets with tables, the default one, and the one on the page. */
function rule_sets_to_choose(catalogue, set) {
  const game = catalogue.games.find((one) => one.name === set.game);
  const sets = (game?.rule_sets ?? []).map(({ rules, cycles }) => ({ game: set.game, rules, cycles }));
  if (!game?.rule_sets.some((one) => one.default)) sets.unshift({ game: set.game, rules: "default", cycles: null });
  return sets.some((one) => name_of_set(one) === name_of_set(set)) ? sets : [set, ...sets];
}

/* A labelled list of [value, name]; its label is what stands in it if none is chosen. */
function choice(id, label, options, chosen, on_choose) {
  const entries = options.map(([value, name]) => html("option", { value, selected: value === chosen }, name));
  const none = !options.some(([value]) => value === chosen) && html("option", { selected: true, disabled: true }, label);
  const select = html("select", { id, change: () => on_choose(select.value) }, none, entries);
  return html("label", {}, html("span", { class: "field_name" }, label), select);
}

export function show_choices(host, { catalogue, set, examples, position, on_set, on_example }) {
  const sets = rule_sets_to_choose(catalogue, set);
  const begins = examples.map((one) => [one.position, text(one.name)]);
  host.append(
    choice("rules", text("page.rules"), sets.map((one) => [name_of_set(one), rules_name(one)]), name_of_set(set), (name) => on_set(sets.find((one) => name_of_set(one) === name))),
    choice("examples", text("page.positions"), begins, position, on_example),
  );
}
