// Answers the page's questions if there is no server. It is a worker because it waits for each part of a file.
import { open_program } from "./program.js";

class FileProblem extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

let problem = null;
let program = null;

function fail(kind, message) {
  problem = { kind, message };
  throw new FileProblem(kind, message);
}

function address_of(tables, path) {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), tables);
}

/* Waits for the bytes, because the module needs them in the middle of a call. */
function get_range(above, path, from, to, size) {
  const request = new XMLHttpRequest();
  const whole = from === 0 && to === size;
  request.open("GET", address_of(above, path), false);
  request.responseType = "arraybuffer";
  if (!whole) request.setRequestHeader("Range", `bytes=${from}-${to - 1}`);
  try {
    request.send();
  } catch {
    fail("gone", "");
  }
  if (!whole && request.status === 200) fail("ranges", path);
  if (request.status !== (whole ? 200 : 206)) fail("gone", `${path}: ${request.status}`);
  const bytes = new Uint8Array(request.response);
  const total = whole ? bytes.length : Number(/\/(\d+)$/.exec(request.getResponseHeader("Content-Range") ?? `/${size}`)?.[1]);
  if (bytes.length !== to - from || total !== size) fail("changed", path);
  return bytes;
}

async function bytes_of(address) {
  const response = await fetch(address);
  if (!response.ok) fail("gone", `${address.pathname}: ${response.status}`);
  return response.arrayBuffer();
}

async function begin(tables) {
  const above = new URL("..", tables);
  const [module, compressed] = await Promise.all([bytes_of(new URL("./tauler.wasm", import.meta.url)), bytes_of(new URL("catalogue", tables))]);
  const opened = await open_program(await WebAssembly.compile(module), new Uint8Array(compressed), (path, from, to) =>
    get_range(above, path, from, to, opened.files.get(path).bytes));
  return opened;
}

self.onmessage = async ({ data: { number, tables, method, path, query, body } }) => {
  problem = null;
  try {
    program ??= begin(tables);
    const answer = await (await program).ask(method, path, query, body);
    self.postMessage({ number, problem, ...answer });
  } catch (failure) {
    program = null;
    self.postMessage({ number, problem: problem ?? { kind: failure instanceof TypeError ? "gone" : "strange", message: String(failure.message) } });
  }
};
