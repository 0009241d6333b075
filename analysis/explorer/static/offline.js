// Keeps the page and the pack of tables, and answers with them if there is no network. With a network the page never shows an older copy.

const PREFIX = `tauler ${self.registration.scope} `;
const WHOLE = 200;
const PART = 206;

async function keep(cache, path, had) {
  const address = new URL(path.split("/").map(encodeURIComponent).join("/"), self.registration.scope).href;
  if (had.has(address)) return;
  const response = await fetch(address, { cache: "no-cache" });
  if (response.status !== WHOLE) throw new Error(`${path}: ${response.status}`);
  await cache.put(address, response);
}

/* The cache holds a whole publication or none of it; the one before stays until the new one is complete. */
async function refresh() {
  const response = await fetch(new URL("pack.json", self.registration.scope), { cache: "no-cache" });
  if (!response.ok) return false;
  const pack = await response.json();
  const name = PREFIX + pack.version;
  const cache = await caches.open(name);
  const had = new Set((await cache.keys()).map((request) => request.url));
  for (const path of [...pack.page, ...pack.tables]) await keep(cache, path, had);
  const others = (await caches.keys()).filter((other) => other.startsWith(PREFIX) && other !== name);
  await Promise.all(others.map((other) => caches.delete(other)));
  return true;
}

async function tell(is_there) {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true })) client.postMessage({ offline: is_there ? "ready" : "none" });
}

/* Some web spaces send a whole file, or parts of a compressed one, where a part is asked for. */
async function answer(request) {
  const response = await fetch(request).catch(() => null);
  const is_part = !request.headers.has("Range") || (response?.status === PART && !response.headers.has("Content-Encoding"));
  if (response && (is_part || !(await find(request.url)))) return response;
  await response?.body?.cancel();
  return from_cache(request);
}

async function find(address) {
  for (const name of await caches.keys()) {
    const found = name.startsWith(PREFIX) && (await (await caches.open(name)).match(address, { ignoreSearch: true }));
    if (found) return found;
  }
  return null;
}

async function from_cache(request) {
  const index = new URL("index.html", self.registration.scope);
  const found = await find(request.mode === "navigate" ? index : request.url);
  const wanted = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("Range") ?? "");
  if (!found || !wanted) return found ?? Response.error();
  const whole = await found.blob();
  const [from, to] = [Number(wanted[1]), wanted[2] === "" ? whole.size : Math.min(Number(wanted[2]) + 1, whole.size)];
  return new Response(whole.slice(from, to), {
    status: PART,
    headers: { "Content-Range": `bytes ${from}-${to - 1}/${whole.size}`, "Content-Length": String(to - from) },
  });
}

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(refresh().catch(() => false).then(tell)));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.registration.scope)) return;
  event.respondWith(answer(event.request));
});
