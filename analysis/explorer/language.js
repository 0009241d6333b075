// Chooses the language of the page: the one chosen before, else the browser's, else English. It finds texts by key, and loads a language at its first
// use.

const LANGUAGES = ["en", "es", "ca"];
const REMEMBERED = "tauler.language";

/* The boards' own texts, by language. */
const added = Object.fromEntries(LANGUAGES.map((name) => [name, {}]));

/** Adds a board's own texts, by language and key. */
export function add_texts(texts) {
  for (const [name, own] of Object.entries(texts)) Object.assign(added[name], own);
}

let language = "en";
let texts = {};
let plural_rules = new Intl.PluralRules(language);

const find_text = (key) => texts[key] ?? added[language][key];

export function language_now() {
  return language;
}

/* A browser may forbid storage. */
function remembered() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

/* The server's sentences are English, so that only the other languages have texts of them. */
async function use(chosen) {
  const files = chosen === "en" ? ["en"] : [chosen, `said_${chosen}`];
  const parts = await Promise.all(files.map((name) => import(`./texts/${name}.js`)));
  texts = Object.assign({}, ...parts.map((part) => part.default));
  language = chosen;
  plural_rules = new Intl.PluralRules(chosen);
  document.documentElement.lang = chosen;
}

export function use_first_language() {
  const wanted = [remembered(), ...navigator.languages.map((name) => name.slice(0, 2).toLowerCase())];
  return use(wanted.find((name) => LANGUAGES.includes(name)) ?? "en");
}

export function choose_language(chosen) {
  try {
    localStorage.setItem(REMEMBERED, chosen);
  } catch {
    // The choice holds until the page is left.
  }
  return use(chosen);
}

/** The text of a key, `{name}` in it replaced. A missing key shows as itself. */
export function text(key, values = {}) {
  return (find_text(key) ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The text for a number of things: `key.one` or `key.other`, `{n}` and other `values` replaced. */
export function plural(key, n, values = {}) {
  const form = plural_rules.select(n) === "one" ? "one" : "other";
  return text(`${key}.${form}`, { ...values, n: whole_number(n) });
}

/** True if this key has a text. */
export function has_text(key) {
  return find_text(key) !== undefined;
}

export function whole_number(n) {
  return n.toLocaleString(language, { useGrouping: "always" });
}

/** A percentage; what is more than nothing or less than all never reads as nothing or all. */
export function percent(share, digits = 1) {
  const written = (one) => one.toLocaleString(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
  const least = 10 ** -(digits + 2);
  if (share > 0 && share < least / 2) return `<${written(least)}`;
  if (share < 1 && share > 1 - least / 2) return `>${written(1 - least)}`;
  return written(share);
}

export function decimal(number, digits = 3) {
  return number.toLocaleString(language, { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Fills all elements that name a text with it, in this language. */
export function put_texts(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", text(element.dataset.label));
}
