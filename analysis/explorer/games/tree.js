// Keeps the moves of a game and its variations as a tree. A node is {step, judged, comments, children, parent}; `step` is an entry of the path of state.js,
// null for the root; `judged` is the answer of `analyse` to the move, or null. The first child continues the main line.

export const new_node = (step, parent) => ({ step, parent, judged: null, comments: [], children: [] });

/** The node of a path; makes the missing ones. */
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

/** The line from a node on, by first children. */
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

/** Stores the judgement of a line, and the positions after its moves. */
export function judge_line(line, judged) {
  judged.moves.forEach((move, i) => {
    const node = line[i];
    if (!node) return;
    node.judged = move;
    const position = judged.moves[i + 1]?.position ?? judged.end.position;
    node.step = { colour: null, ...node.step, name: move.move, turn: move.turn, position };
  });
}

/** The number of moves after which a game is shown first: behind its first mistake, else where its values begin. */
export function first_ply(line) {
  const mistake = line.findIndex((node) => mark_of(node) !== "");
  return mistake >= 0 ? mistake + 1 : Math.max(line.findIndex(({ judged }) => judged?.best.bounds), 0);
}

/** "?" for a move that gives something away, "??" for one that changes the winner. */
export function mark_of({ judged }) {
  if (!judged) return "";
  const { before, after, given_away } = judged;
  if (before !== "unknown" && after !== "unknown" && before !== after) return "??";
  return given_away !== null && given_away[0] > 0 ? "?" : "";
}
