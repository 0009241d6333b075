// Asks a published folder the questions of its page, without a browser: node ask_published.mjs MODULE FOLDER <QUESTIONS >ANSWERS
// A question is a line of JSON {path, method?, body?}, an answer {status, body, requests, bytes, read}; `read` lists the parts of files that the answer needed.
import fs from "node:fs";
import readline from "node:readline";
import { open_program } from "../../analysis/explorer/static/program.js";

const [module, folder] = process.argv.slice(2);
let requests = 0;
let bytes = 0;
let read = [];

function get(path, from, to) {
  const file = fs.openSync(`${folder}/${path}`);
  const part = new Uint8Array(to - from);
  const n = fs.readSync(file, part, 0, to - from, from);
  fs.closeSync(file);
  if (n !== to - from) throw new Error(path);
  requests += 1;
  bytes += n;
  read.push(path);
  return part;
}

const compiled = await WebAssembly.compile(fs.readFileSync(module));
const packed = new Uint8Array(fs.readFileSync(`${folder}/tables/catalogue`));
let program = await open_program(compiled, packed, get);
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { path, method = "GET", body = null, cold = false } = JSON.parse(line);
  if (cold) program = await open_program(compiled, packed, get);
  requests = bytes = 0;
  read = [];
  const [before, query = null] = path.split("?", 2);
  const answer = await program.ask(method, before, query, body);
  process.stdout.write(`${JSON.stringify({ ...answer, requests, bytes, read })}\n`);
}
