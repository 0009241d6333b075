// Runs tauler.wasm on the files of a published folder; it gives the answers that a server would give.
import { make_reader } from "./ranges.js";
import { make_system } from "./system.js";

const FIXED_BYTES = 16;
const FOLDER = "tables";

/* The list of files as analysis/publish/catalogue.c writes it. */
function files_of(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const files = new Map();
  for (let at = 0; at < bytes.length; ) {
    const path_bytes = view.getUint32(at + 8, true);
    const head_bytes = view.getUint32(at + 12, true);
    const path_at = at + FIXED_BYTES;
    const head_at = path_at + path_bytes;
    const path = new TextDecoder().decode(bytes.subarray(path_at, head_at));
    files.set(`${FOLDER}/${path}`, {
      bytes: Number(view.getBigUint64(at, true)),
      head: head_bytes ? bytes.slice(head_at, head_at + head_bytes) : null,
      number: files.size + 1,
    });
    at = head_at + head_bytes;
  }
  return files;
}

class Program {
  constructor(instance) {
    this.calls = instance.exports;
  }

  memory() {
    return this.calls.memory.buffer;
  }

  put(bytes) {
    const at = this.calls.page_room(bytes.length + 1);
    if (!at) throw new Error("no memory");
    new Uint8Array(this.memory(), at, bytes.length + 1).set([...bytes, 0]);
    return at;
  }

  put_bytes(bytes) {
    const at = this.calls.page_room(bytes.length);
    new Uint8Array(this.memory(), at, bytes.length).set(bytes);
    return at;
  }
}

/* The catalogue is compressed by zstd; the module decompresses it. */
async function read_catalogue(module, compressed) {
  let program = null;
  const system = make_system(new Map(), null, () => program.memory());
  program = new Program(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system }));
  program.calls._initialize();
  const plain = program.calls.page_catalogue(program.put_bytes(compressed), compressed.length);
  if (!plain) throw new Error("the catalogue of the tables is damaged");
  const n = Number(new DataView(program.memory()).getBigUint64(plain, true));
  return files_of(new Uint8Array(program.memory(), plain + 8, n).slice());
}

/** `module` is the compiled one, `compressed` the file tables/catalogue, `get(path, from, to)` reads files. Gives {files, ask(method, path, query, body)},
 * which answers {status, body} at once. */
export async function open_program(module, compressed, get) {
  const files = await read_catalogue(module, compressed);
  const read = make_reader(files, get);
  let program = null;
  let handle = 0;

  async function begin() {
    let begun = null;
    const system = make_system(files, read, () => begun.memory());
    begun = new Program(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system }));
    begun.calls._initialize();
    handle = begun.calls.page_open(begun.put(new TextEncoder().encode(`/${FOLDER}`)));
    if (!handle) throw new Error("no memory");
    program = begun;
  }

  async function ask(method, path, query = null, body = null) {
    if (!program) await begin();
    const texts = [method, path, query, body].map((text) => (text === null ? null : new TextEncoder().encode(text)));
    const places = texts.map((text) => (text === null ? 0 : program.put(text)));
    try {
      const status = program.calls.page_ask(handle, ...places, texts[3]?.length ?? 0);
      const n = program.calls.page_body_length(handle);
      const said = new TextDecoder().decode(new Uint8Array(program.memory(), program.calls.page_body(handle), n));
      for (const place of places) if (place) program.calls.page_free(place);
      return { status, body: said };
    } catch (problem) {
      program = null; // its state is unknown
      throw problem;
    }
  }

  return { files, ask };
}
