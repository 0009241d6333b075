// Reads parts of published files with few requests, and keeps them while there is room.

const SMALL = 16384; // bytes of a file that is read whole
const LEAST = 4096; // bytes of one request at least
const TAIL = 8192; // counts and seek table of most tables are shorter
const MOST_KEPT = 64 << 20;

/** `get(path, from, to)` gives these bytes of a file, or the whole file, or throws. Files are {bytes, head}; the known bytes of a head cost no request. */
export function make_reader(files, get) {
  const kept = new Map();
  let kept_bytes = 0;

  function find(path, at, n) {
    const { head } = files.get(path);
    if (head && at + n <= head.length) return head.subarray(at, at + n);
    const part = kept.get(path)?.find((one) => at >= one.at && at + n <= one.at + one.bytes.length);
    return part?.bytes.subarray(at - part.at, at - part.at + n);
  }

  function bounds(path, at, n) {
    const size = files.get(path).bytes;
    if (size <= SMALL) return [0, size];
    const to = Math.max(at + n, Math.min(at + LEAST, size));
    return [at, size - at <= TAIL ? size : to];
  }

  function keep(path, at, bytes) {
    if (kept_bytes + bytes.length > MOST_KEPT) {
      kept.clear();
      kept_bytes = 0;
    }
    if (!kept.has(path)) kept.set(path, []);
    kept.get(path).push({ at, bytes });
    kept_bytes += bytes.length;
  }

  return function read(path, at, n) {
    if (!find(path, at, n)) {
      const [from, to] = bounds(path, at, n);
      const bytes = get(path, from, to);
      keep(path, bytes.length === to - from ? from : 0, bytes);
    }
    return find(path, at, n);
  };
}
