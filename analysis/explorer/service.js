// Sends questions to the server, relative to the page's own address. Errors have a kind: `gone` no answer, `missing` no table holds it (`answer`: its legal
// moves), `damaged`, `ranges` a web space that gives no parts of files, `compresses` one that compresses them, `changed` tables published again, `bad` wrong notation, `unknown` no such thing, `busy`, `strange` anything else.

const CATALOGUE = "v1/";

export class ServiceError extends Error {
  constructor(kind, message, { answer = null, told = null } = {}) {
    super(message);
    this.kind = kind;
    this.answer = answer;
    this.told = told;
  }
}

/** What the server's sentence is made of; null if it says so of none. */
export const told_of = (body) => (body?.code === undefined ? null : body);

const KINDS = { 400: "bad", 404: "unknown", 414: "bad", 429: "busy", 431: "bad" };

function error_of(response, body) {
  const message = body?.message ?? `${response.status} ${response.statusText}`;
  const more = { answer: body?.answer, told: told_of(body) };
  if (body?.answer || body?.error === "table missing") return new ServiceError("missing", message, more);
  if (response.status === 503) return new ServiceError(kind_of_refusal(body), message, more);
  return new ServiceError(KINDS[response.status] ?? "strange", message, more);
}

/* 503 means a damaged table, or too many questions at once. */
function kind_of_refusal(body) {
  return /busy|many/.test(body?.error ?? "") ? "busy" : "damaged";
}

/* The address of the tables of a published page, which answers by itself. */
const TABLES = document.querySelector('meta[name="tauler-tables"]')?.content ?? null;

async function ask_published(path, sent) {
  const { ask_worker } = await import("./static/asking.js");
  const { status, body, problem } = await ask_worker(TABLES, path, sent);
  if (problem) throw new ServiceError(problem.kind, problem.message);
  return new Response(body, { status });
}

function ask_server(path, sent) {
  return fetch(path, { method: sent === undefined ? "GET" : "POST", body: sent, headers: { Accept: "application/json" } });
}

async function ask(path, sent = undefined) {
  let response;
  try {
    response = await (TABLES ? ask_published : ask_server)(path, sent);
  } catch (problem) {
    throw problem instanceof ServiceError ? problem : new ServiceError("gone", "");
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

/** The value of a position and of its moves. `set` is {game, rules, cycles}, `tables` the catalogue's digest of all tables. */
export function ask_position(set, position, tables) {
  return ask(path_of(set, "", { pos: position, cycles: set.cycles, tables }));
}

/** A line of best play from a position. */
export function ask_line(set, position, tables) {
  return ask(path_of(set, "/line", { pos: position, cycles: set.cycles, tables }));
}

/** Searches a position that no table holds down to the tables, within a budget {ms, positions}. */
export function ask_search(set, position, budget) {
  return ask(path_of(set, "/search", { pos: position, cycles: set.cycles, ...budget }));
}

/** The answer of `analyse` to the games of a text; `how` {game, rules, cycles} are its options. */
export function ask_analyse(text, { game, rules = null, cycles = null }) {
  const asked = new URLSearchParams(Object.entries({ game, rules: rules === "default" ? null : rules, cycles }).filter(([, value]) => value !== null));
  return ask(`v1/analyse?${asked}`, text);
}

/** The number of positions of each value in a slice. */
export function ask_stats(set, slice, tables) {
  return ask(path_of(set, "/stats", { slice, cycles: set.cycles, tables }));
}

/** A position of a slice in which a single move keeps the value; `wanted` {slice, seed, grade, unlike}. */
export function ask_exercise(set, wanted, tables) {
  return ask(path_of(set, "/exercise", { ...wanted, cycles: set.cycles, tables }));
}

/** The squares of a board of the goose. */
export function ask_board(set, tables) {
  return ask(path_of(set, "/board", { tables }));
}
