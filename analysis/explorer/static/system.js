// Serves the system calls of tauler.wasm (WASI, preview 1): read-only files of one folder, a clock, random bytes.

const OK = 0;
const BAD_DESCRIPTOR = 8;
const INPUT_OUTPUT = 29;
const NO_ENTRY = 44;
const NO_SYSTEM_CALL = 52;
const READ_ONLY = 69;

const ROOT = 3;
const FOLDER = 3;
const FILE = 4;
const CREATES = 1 | 8;

/* The folders of a list of paths, each with the names in it. Folders and files have different numbers. */
function folders_of(files) {
  const folders = new Map([["", new Set()]]);
  for (const path of files.keys()) {
    const parts = path.split("/");
    for (let i = 0; i < parts.length; i++) {
      const above = parts.slice(0, i).join("/");
      if (!folders.has(above)) folders.set(above, new Set());
      folders.get(above).add(parts[i]);
    }
  }
  return folders;
}

/** `files` maps paths to {bytes, number}; `read(path, at, n)` gives bytes or throws; `memory()` is the module's buffer. */
export function make_system(files, read, memory) {
  const folders = folders_of(files);
  const numbers = new Map([...folders.keys()].map((path, i) => [path, BigInt(files.size + i + 2)]));
  const open = new Map([[ROOT, { path: "", at: 0 }]]);
  const view = () => new DataView(memory());
  const text_at = (at, n) => new TextDecoder().decode(new Uint8Array(memory(), at, n));
  let next = ROOT + 1;

  function below(descriptor, at, n) {
    const parts = [open.get(descriptor)?.path ?? "", text_at(at, n)].join("/").split("/");
    return parts.filter((part) => part && part !== ".").join("/");
  }

  function put_about(to, path) {
    const file = files.get(path);
    if (!file && !folders.has(path)) return NO_ENTRY;
    new Uint8Array(memory(), to, 64).fill(0);
    view().setBigUint64(to + 8, file ? BigInt(file.number) : numbers.get(path), true);
    view().setUint8(to + 16, file ? FILE : FOLDER);
    view().setBigUint64(to + 24, 1n, true);
    view().setBigUint64(to + 32, BigInt(file?.bytes ?? 0), true);
    return OK;
  }

  /* Into the buffers of a list, from `at` on; how many bytes there were. */
  function read_into(path, list, count, at) {
    let done = 0;
    for (let i = 0; i < count; i++) {
      const to = view().getUint32(list + 8 * i, true);
      const wanted = Math.min(view().getUint32(list + 8 * i + 4, true), files.get(path).bytes - at - done);
      if (wanted <= 0) break;
      new Uint8Array(memory(), to, wanted).set(read(path, at + done, wanted));
      done += wanted;
    }
    return done;
  }

  function pread(descriptor, list, count, at, done) {
    const file = open.get(descriptor);
    if (!file || !files.has(file.path)) return BAD_DESCRIPTOR;
    try {
      view().setUint32(done, read_into(file.path, list, count, Number(at)), true);
      return OK;
    } catch {
      return INPUT_OUTPUT;
    }
  }

  function readdir(descriptor, to, room, cookie, done) {
    const path = open.get(descriptor)?.path;
    if (!folders.has(path)) return BAD_DESCRIPTOR;
    const names = [...folders.get(path)];
    let used = 0;
    for (let i = Number(cookie); i < names.length && used < room; i++) {
      const name = new TextEncoder().encode(names[i]);
      const inside = path ? `${path}/${names[i]}` : names[i];
      const entry = new Uint8Array(24 + name.length);
      const fields = new DataView(entry.buffer);
      fields.setBigUint64(0, BigInt(i + 1), true);
      fields.setBigUint64(8, files.has(inside) ? BigInt(files.get(inside).number) : numbers.get(inside), true);
      fields.setUint32(16, name.length, true);
      fields.setUint8(20, files.has(inside) ? FILE : FOLDER);
      entry.set(name, 24);
      const part = entry.subarray(0, room - used); // the caller asks again for the rest
      new Uint8Array(memory(), to + used, part.length).set(part);
      used += part.length;
    }
    view().setUint32(done, used, true);
    return OK;
  }

  function path_open(descriptor, _follow, at, n, how, _rights, _inherited, _flags, out) {
    const path = below(descriptor, at, n);
    if (how & CREATES) return READ_ONLY;
    if (!files.has(path) && !folders.has(path)) return NO_ENTRY;
    open.set(next, { path, at: 0 });
    view().setUint32(out, next, true);
    next += 1;
    return OK;
  }

  const known = {
    path_open,
    fd_pread: pread,
    fd_readdir: readdir,
    fd_close: (descriptor) => (open.delete(descriptor) ? OK : BAD_DESCRIPTOR),
    fd_filestat_get: (descriptor, to) => (open.has(descriptor) ? put_about(to, open.get(descriptor).path) : BAD_DESCRIPTOR),
    path_filestat_get: (descriptor, _follow, at, n, to) => put_about(to, below(descriptor, at, n)),
    fd_fdstat_get(descriptor, to) {
      if (!open.has(descriptor)) return BAD_DESCRIPTOR;
      new Uint8Array(memory(), to, 24).fill(0);
      view().setUint8(to, files.has(open.get(descriptor).path) ? FILE : FOLDER);
      view().setBigUint64(to + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(to + 16, 0xffffffffffffffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_advise: () => OK,
    fd_prestat_get(descriptor, to) {
      if (descriptor !== ROOT) return BAD_DESCRIPTOR;
      view().setUint32(to, 0, true);
      view().setUint32(to + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(_descriptor, to) {
      view().setUint8(to, 47); // "/"
      return OK;
    },
    clock_time_get(which, _precision, to) {
      const milliseconds = which === 0 ? Date.now() : performance.now();
      view().setBigUint64(to, BigInt(Math.round(milliseconds * 1e6)), true);
      return OK;
    },
    random_get(to, n) {
      crypto.getRandomValues(new Uint8Array(memory(), to, n));
      return OK;
    },
    proc_exit(code) {
      throw new Error(`tauler.wasm ended with ${code}`);
    },
  };
  return new Proxy(known, { get: (all, name) => all[name] ?? (() => NO_SYSTEM_CALL) });
}
