// The language of the page: the one chosen before, or the browser's, or English. Texts are looked up by key; of each language they are loaded when it
// is first wanted.

const LANGUAGES = ["en", "es", "ca"];
const REMEMBERED = "tauler.language";

/* By language: the texts that boards bring along. */
const added = Object.fromEntries(LANGUAGES.map((name) => [name, {}]));

/** Texts that a board brings along, by language and key. */
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

/* A browser may forbid that anything is remembered. */
function remembered() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

async function use(chosen) {
  texts = (await import(`./texts/${chosen}.js`)).default;
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
    // It holds until the page is left.
  }
  return use(chosen);
}

/** The text of a key, `{name}` in it replaced. A key that is not there shows as itself. */
export function text(key, values = {}) {
  return (find_text(key) ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The text for a number of things: `key.one` or `key.other`, `{n}` and other `values` replaced. */
export function plural(key, n, values = {}) {
  const form = plural_rules.select(n) === "one" ? "one" : "other";
  return text(`${key}.${form}`, { ...values, n: whole_number(n) });
}

/** Whether there is a text of this key. */
export function has_text(key) {
  return find_text(key) !== undefined;
}

export function whole_number(n) {
  return n.toLocaleString(language, { useGrouping: "always" });
}

export function percent(share, digits = 1) {
  return share.toLocaleString(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function decimal(number, digits = 3) {
  return number.toLocaleString(language, { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Puts the texts of this language into all elements that name one. */
export function put_texts(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", text(element.dataset.label));
}
