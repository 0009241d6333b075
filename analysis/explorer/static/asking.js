// Sends the page's questions to the worker that answers if there is no server.

let worker = null;
let asked = 0;
let kept = null; // the promise of keep_for_later: true when the pack is there
const waiting = new Map();

function start() {
  const started = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  started.onmessage = ({ data }) => {
    waiting.get(data.number)({ ...data, by: started });
    waiting.delete(data.number);
    kept ??= keep_for_later().catch(() => false); // some browsers refuse in private windows
  };
  started.onerror = () => {
    for (const [number, answer] of waiting) answer({ number, problem: { kind: "gone", message: "" } });
    waiting.clear();
    worker = null;
  };
  return started;
}

/* The kinds of problems that end when the pack is there, since it gives parts of files. */
const UNTIL_KEPT = ["ranges", "compresses"];

/** The answer {status, body} to a question below the address `tables`, with a `problem` {kind, message} if a file could not be read. Where the web space
 * gives no parts of a large file, the answer waits for the pack. */
export async function ask_worker(tables, path, sent) {
  const answer = await ask_once(tables, path, sent);
  if (!UNTIL_KEPT.includes(answer.problem?.kind) || !(await kept)) return answer;
  if (answer.by === worker) worker = null; // the next one asks the pack
  return ask_once(tables, path, sent);
}

function ask_once(tables, path, sent) {
  const [before, query = null] = path.split("?", 2);
  worker ??= start();
  asked += 1;
  const number = asked;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    worker.postMessage({
      number,
      tables: new URL(tables, document.baseURI).href,
      method: sent === undefined ? "GET" : "POST",
      path: `/${before}`,
      query,
      body: sent ?? null,
    });
  });
}

/* A service worker keeps the page for use without a network, unless the reader saves data. It starts after the first answer, which
 * would wait for it. */
async function keep_for_later() {
  if (!navigator.serviceWorker || navigator.connection?.saveData) return false;
  const told = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", ({ data }) => {
      document.documentElement.dataset.offline = data.offline;
      resolve(data.offline === "ready");
    });
  });
  await navigator.serviceWorker.register(new URL("offline.js", document.baseURI));
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage("refresh");
  return told;
}
