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

/* A file of up to so many bytes is read whole where a web space gives no parts. */
const MOST_WHOLE = 8 << 20;

/* True if the web space answers range requests. */
let gives_parts = true;

/* An answer, or null if there is none that the browser can read. */
function request_of(above, path, { method = "GET", range = null } = {}) {
  const request = new XMLHttpRequest();
  request.open(method, address_of(above, path), false);
  request.responseType = "arraybuffer";
  if (range) request.setRequestHeader("Range", range);
  try {
    request.send();
  } catch {
    return null;
  }
  return request;
}

/* Says why a file that is too large to be read whole cannot be read by parts: a web space that compresses gives none that the browser can read. */
function fail_to_part(above, path) {
  const head = request_of(above, path, { method: "HEAD" });
  if (!head) fail("gone", "");
  const encoding = head.getResponseHeader("Content-Encoding");
  fail(encoding ? "compresses" : "ranges", encoding || path);
}

function get_whole(above, path, size) {
  if (size > MOST_WHOLE) fail_to_part(above, path);
  const request = request_of(above, path);
  if (request?.status !== 200) fail("gone", request ? `${path}: ${request.status}` : "");
  return checked(request, path, size, size);
}

function checked(request, path, length, size) {
  const bytes = new Uint8Array(request.response);
  const total = Number(/\/(\d+)$/.exec(request.getResponseHeader("Content-Range") ?? `/${size}`)?.[1]);
  if (bytes.length !== length || total !== size) fail("changed", path);
  return bytes;
}

/* Waits for the bytes, because the module needs them in the middle of a call. The whole file comes where parts do not. */
function get_range(above, path, from, to, size) {
  if ((from === 0 && to === size) || !gives_parts) return get_whole(above, path, size);
  const request = request_of(above, path, { range: `bytes=${from}-${to - 1}` });
  if (request && request.status !== 200 && request.status !== 206) fail("gone", `${path}: ${request.status}`);
  if (request?.status === 206 && !request.getResponseHeader("Content-Encoding")) return checked(request, path, to - from, size);
  if (request?.status === 200 && size <= MOST_WHOLE) return checked(request, path, size, size);
  return get_whole(above, path, size);
}

async function response_of(address, headers = {}) {
  const response = await fetch(address, { headers });
  if (!response.ok) fail("gone", `${address.pathname}: ${response.status}`);
  return response;
}

/* The catalogue is read whole as one part, which tells whether the web space gives parts. */
async function begin(tables) {
  const above = new URL("..", tables);
  const asked = [response_of(new URL("./tauler.wasm", import.meta.url)), response_of(new URL("catalogue", tables), { Range: "bytes=0-" })];
  const [module, catalogue] = await Promise.all(asked);
  gives_parts = catalogue.status === 206;
  const [code, compressed] = await Promise.all([module.arrayBuffer(), catalogue.arrayBuffer()]);
  const opened = await open_program(await WebAssembly.compile(code), new Uint8Array(compressed), (path, from, to) =>
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
