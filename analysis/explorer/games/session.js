// Games that are opened, judged and written: the tree of what was played since the position at which the page began.
import { set_named } from "../choices.js";
import { as_problem, begin_game, go_on_path, waiting, walk_now } from "../going.js";
import { load_board } from "../boards.js";
import { draw_game } from "../page.js";
import { ask_analyse, ServiceError } from "../service.js";
import { shown } from "../state.js";
import { colour_of } from "../worth.js";
import { plant, write_lines, write_record } from "./record.js";
import { grow, judge_line, line_from, lines_of, new_node, way_to } from "./tree.js";

const MOST_BYTES = 65000;

/* The game at hand: {key, base, root, tags, ending, sides, end, problem, written, others}. */
let game = null;

const key_now = () => JSON.stringify([shown.set, shown.base]);

function new_game(base) {
  return { key: null, base, root: new_node(null, null), tags: [], ending: "", sides: null, end: null, problem: null, written: null, others: [] };
}

/** The game that the path belongs to, grown by what was played. */
export function game_now() {
  const key = key_now();
  if (game?.key !== key) game = { ...new_game(shown.base), key };
  game.here = grow(game.root, shown.path.slice(0, shown.at));
  grow(game.root, shown.path);
  return game;
}

/** Goes to a node, with the line behind it to go on. */
export function go_to_node(node) {
  if (waiting()) return null;
  const way = way_to(node);
  return go_on_path([...way, ...line_from(node)].map((one) => one.step), way.length);
}

/* In lumps that the server takes. */
function lumps(base, lines) {
  const parts = [];
  let size = MOST_BYTES;
  for (const line of lines) {
    const length = new TextEncoder().encode(write_lines(base, [line])).length + 1;
    if (size + length > MOST_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1).push(line);
    size += length;
  }
  return parts;
}

const is_main = (line) => line.every((node) => node === node.parent.children[0]);

function take_main(of, judged) {
  Object.assign(of, { sides: judged.sides, end: judged.end });
}

async function judge_lines(of, lines, set) {
  for (const lump of lumps(of.base, lines)) {
    const { games } = await ask_analyse(write_lines(of.base, lump), set);
    games.forEach((one, i) => {
      if (one.error) of.problem = one.message;
      else {
        judge_line(lump[i], one.judged);
        if (is_main(lump[i])) take_main(of, one.judged);
      }
    });
  }
}

/* What goes wrong is said beside the game, and nothing else is lost. */
async function try_with(of, work) {
  of.problem = null;
  of.busy = true;
  draw_game();
  try {
    await work();
  } catch (problem) {
    const { message, kind } = as_problem(problem);
    of.problem = message || kind;
  }
  of.busy = false;
  draw_game();
  return of.problem === null;
}

/** Has every line of the game judged. */
export function judge_game() {
  const of = game_now();
  return try_with(of, () => judge_lines(of, lines_of(of.root), shown.set));
}

/** Has the game written as a record with comments. */
export function write_game() {
  const of = game_now();
  return try_with(of, async () => {
    const [one] = (await ask_analyse(write_record(of, shown.set), { game: shown.set.game, rules: shown.set.rules, cycles: shown.set.cycles })).games;
    if (one.error) of.problem = one.message;
    else of.written = one.record.annotated;
  });
}

const named = ({ judged }) => judged.sides.map(({ side, player }) => player ?? side).join(" – ");

/* A record that says itself by which rules it was played is taken at its word. */
const rules_for = (text) => (/^\s*\[\s*(Rules|Variant|Cycles)\s/m.test(text) ? { game: shown.set.game } : { ...shown.set });

/** Opens a record, or a list of moves; of several the first, the others can be chosen. False: it could not be opened. */
export function open_game(text) {
  const before = game_now();
  const mine = walk_now();
  return try_with(before, async () => {
    const { games } = await ask_analyse(text, rules_for(text));
    const readable = games.filter((one) => !one.error);
    if (readable.length === 0) throw new ServiceError("bad", games[0].message);
    if (mine !== walk_now()) return;
    await show_game(readable[0], readable);
  });
}

/** Shows one of the games that were opened. */
export async function show_game(chosen, all) {
  const { judged, record } = chosen;
  const set = set_named(shown.catalogue, { game: judged.game, rules: judged.rules, cycles: judged.cycles || null });
  await load_board(set.game);
  const opened = { ...new_game(judged.start), key: JSON.stringify([set, judged.start]), tags: judged.tags };
  opened.ending = plant(opened.root, record.items);
  const main = line_from(opened.root);
  judge_line(main, judged);
  for (const node of main) node.step.colour = colour_of(node.judged.bounds, set.game === "auale" ? "scores" : "outcomes");
  take_main(opened, judged);
  opened.others = all.map((one) => ({ name: named(one), is_here: one === chosen, show: () => show_game(one, all) }));
  game = opened;
  await begin_game(set, judged.start, main.map((node) => node.step));
  const rest = lines_of(opened.root).slice(1);
  if (rest.length > 0) await try_with(opened, () => judge_lines(opened, rest, set));
}
