// The moves of a game and what was tried beside them, as a tree. A node is {step, judged, comments, children, parent}; `step` is what the path of state.js
// holds, null of the root; `judged` what `analyse` says of the move, or null. The first child goes on with the main line.

export const new_node = (step, parent) => ({ step, parent, judged: null, comments: [], children: [] });

/** The node of a path, made where there is none. */
export function grow(root, path) {
  let node = root;
  for (const step of path) {
    let next = node.children.find((child) => child.step.name === step.name);
    if (!next) {
      next = new_node(step, node);
      node.children.push(next);
    }
    if (step.position !== undefined) next.step = { ...next.step, ...step };
    node = next;
  }
  return node;
}

/** The nodes from the first move to this one. */
export function way_to(node) {
  const way = [];
  for (let one = node; one.parent; one = one.parent) way.unshift(one);
  return way;
}

/** The line that goes on from a node, by first children. */
export function line_from(node) {
  const line = [];
  for (let one = node.children[0]; one; one = one.children[0]) line.push(one);
  return line;
}

function leaves(node) {
  return node.children.length === 0 ? [node] : node.children.flatMap(leaves);
}

/** Every line of the tree to its end, the main one first. */
export const lines_of = (root) => (root.children.length === 0 ? [] : leaves(root).map(way_to));

/** Writes down what was said of a line, and where its moves lead. */
export function judge_line(line, judged) {
  judged.moves.forEach((move, i) => {
    const node = line[i];
    if (!node) return;
    node.judged = move;
    const position = judged.moves[i + 1]?.position ?? judged.end.position;
    node.step = { colour: null, ...node.step, name: move.move, turn: move.turn, position };
  });
}

/** "?" of a move that gave something away, "??" of one that changed who wins. */
export function mark_of({ judged }) {
  if (!judged) return "";
  const { before, after, given_away } = judged;
  if (before !== "unknown" && after !== "unknown" && before !== after) return "??";
  return given_away !== null && given_away[0] > 0 ? "?" : "";
}
