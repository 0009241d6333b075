// Writes a tree as a record, and reads a record into a tree.
import { grow } from "./tree.js";

const OWN = "tauler: ";

/** Reads the words of `v1/analyse` into the tree `root`. A variation follows the move that it replaces. */
export function plant(root, items) {
  const open = [];
  let node = root;
  let ending = "";
  for (const { kind, text } of items) {
    if (kind === "open") {
      open.push(node);
      node = node.parent ?? root;
    } else if (kind === "close") node = open.pop();
    else if (kind === "comment" && !text.startsWith(OWN)) node.comments.push(text);
    else if (kind === "ending") ending = text;
    else if (kind === "move") {
      node = grow(node, [{ name: text, position: undefined }]);
    }
  }
  return ending;
}

const comment_words = (node) => node.comments.map((text) => `{ ${text.replaceAll("}", ")")} }`);

function line_words(node) {
  const words = [];
  for (let one = node; one; one = one.children[0]) {
    words.push(one.step.name, ...comment_words(one));
    const others = one === one.parent.children[0] ? one.parent.children.slice(1) : [];
    for (const other of others) words.push("(", ...line_words(other), ")");
  }
  return words;
}

const tag_line = ([name, value]) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;

/** The record of a tree, with its own tags, or else with tags for game, rules and position. */
export function write_record({ root, base, tags, ending }, { game, rules, cycles }) {
  const own = tags.length > 0 ? [...tags] : [["Game", game], ["Rules", rules], ...(cycles ? [["Cycles", cycles]] : [])];
  if (!own.some(([name]) => name === "FEN" || name === "Position")) own.push(["FEN", base]);
  const words = [...comment_words(root), ...(root.children[0] ? line_words(root.children[0]) : [])];
  return `${own.map(tag_line).join("\n")}\n\n${[...words, ending || "*"].join(" ")}\n`;
}

/** Lines as lists of moves, one a line of text. */
export const write_lines = (base, lines) => lines.map((line) => `${base} moves ${line.map(({ step }) => step.name).join(" ")}`).join("\n");

