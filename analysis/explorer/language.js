// The language of the page: the one chosen before, or the browser's, or English. Texts are looked up by key.
import ca from "./texts_ca.js";
import en from "./texts_en.js";
import es from "./texts_es.js";

const LANGUAGES = { en, es, ca };
const REMEMBERED = "tauler.language";

/** Texts that a board brings along, by language and key. */
export function add_texts(texts) {
  for (const [name, added] of Object.entries(texts)) Object.assign(LANGUAGES[name], added);
}

let language = "en";
let plural_rules = new Intl.PluralRules(language);

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

function use(chosen) {
  language = chosen;
  plural_rules = new Intl.PluralRules(chosen);
  document.documentElement.lang = chosen;
}

export function use_first_language() {
  const wanted = [remembered(), ...navigator.languages.map((name) => name.slice(0, 2).toLowerCase())];
  use(wanted.find((name) => Object.hasOwn(LANGUAGES, name ?? "")) ?? "en");
}

export function choose_language(chosen) {
  use(chosen);
  try {
    localStorage.setItem(REMEMBERED, chosen);
  } catch {
    return;
  }
}

/** The text of a key, `{name}` in it replaced. A key that is not there shows as itself. */
export function text(key, values = {}) {
  const found = LANGUAGES[language][key] ?? en[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The text for a number of things: `key.one` or `key.other`, `{n}` replaced. */
export function plural(key, n) {
  const form = plural_rules.select(n) === "one" ? "one" : "other";
  return text(`${key}.${form}`, { n: whole_number(n) });
}

/** Whether there is a text of this key. */
export function has_text(key) {
  return Object.hasOwn(en, key);
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
