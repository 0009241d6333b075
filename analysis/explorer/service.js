// Questions to the server, relative to the page's own address. Errors have a kind: `gone` no answer, `missing` no table holds it (`answer`: its legal
// moves), `damaged`, `bad` wrong notation, `unknown` no such thing, `busy`, `strange` anything else.

const CATALOGUE = "v1/";

export class ServiceError extends Error {
  constructor(kind, message, answer = null) {
    super(message);
    this.kind = kind;
    this.answer = answer;
  }
}

const KINDS = { 400: "bad", 404: "unknown", 414: "bad", 429: "busy", 431: "bad" };

function error_of(response, body) {
  const message = body?.message ?? `${response.status} ${response.statusText}`;
  if (body?.answer || body?.error === "table missing") return new ServiceError("missing", message, body.answer);
  if (response.status === 503) return new ServiceError(kind_of_refusal(body), message);
  return new ServiceError(KINDS[response.status] ?? "strange", message);
}

/* 503: a table is damaged, or there are too many questions at once. */
function kind_of_refusal(body) {
  return /busy|many/.test(body?.error ?? "") ? "busy" : "damaged";
}

async function ask(path) {
  let response;
  try {
    response = await fetch(path, { headers: { Accept: "application/json" } });
  } catch {
    throw new ServiceError("gone", "");
  }
  let body = null;
  try {
    body = await response.json();
  } catch (problem) {
    if (response.ok) throw new ServiceError("strange", String(problem.message));
  }
  if (!response.ok) throw error_of(response, body);
  return body;
}

function path_of({ game, rules }, what, query) {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== ""));
  return `v1/${encodeURIComponent(game)}/${encodeURIComponent(rules)}${what}?${asked}`;
}

/** All games and their tables. */
export function ask_catalogue() {
  return ask(CATALOGUE);
}

/** What a position is worth, and its moves. `set` is {game, rules, cycles}, `tables` the catalogue's digest of what there is. */
export function ask_position(set, position, tables) {
  return ask(path_of(set, "", { pos: position, cycles: set.cycles, tables }));
}

/** A line of best play from a position. */
export function ask_line(set, position, tables) {
  return ask(path_of(set, "/line", { pos: position, cycles: set.cycles, tables }));
}

/** How many positions of a slice have which value. */
export function ask_stats(set, slice, tables) {
  return ask(path_of(set, "/stats", { slice, cycles: set.cycles, tables }));
}

/** The squares of a board of the goose. */
export function ask_board(set, tables) {
  return ask(path_of(set, "/board", { tables }));
}
