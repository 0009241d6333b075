// Writes what the server says in the reader's language, by the codes and parameters that go with its sentences; a code without a text leaves the English
// sentence.
import { has_text, language_now, text } from "./language.js";

/* Names of sides and pieces among the parameters. */
const word_of = (parameter) => (has_text(`said.word.${parameter}`) ? text(`said.word.${parameter}`) : parameter.trim());

/* A sentence without words of its own says a place or a word, and then its cause. */
function key_of({ code, parameters }) {
  if (code !== "") return `said.${code}`;
  if (parameters.length === 4) return "said.place";
  return /^[0-9]+$/.test(parameters[1]) ? "said.line" : "said.of_word";
}

function written({ code, parameters = [], cause = null }) {
  const key = key_of({ code, parameters });
  const words = cause && written(cause);
  if (!has_text(key) || (cause && words === null)) return null;
  return text(key, { ...Object.fromEntries(parameters.map((parameter, i) => [i + 1, word_of(parameter)])), cause: words });
}

const as_sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${/[.?]$/.test(words) ? "" : "."}`;

/** What a server's error says: {words, lang}, `lang` the language where it is not the page's. */
export function said(problem) {
  const words = language_now() !== "en" && problem.told ? written(problem.told) : null;
  return words ? { words: as_sentence(words), lang: null } : { words: problem.message, lang: problem.message ? "en" : null };
}
