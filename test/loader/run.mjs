// Runs test files, a group of them in a process, and prints TAP: one test for each file, with its failures and skipped tests.
// A process for each file took twice the processor time; tap's own command took 0.4 s more for each, and 20 s to read and
// format all assertions.
//   npm test                        all but the files of selection.mjs
//   npm test -- FOLDER or FILE…     these files
//   npm run test:full               the files of selection.mjs
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { findBundle } from './bundle.mjs';
import { isFull, leftOut, testFiles } from './selection.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START = fileURLToPath(new URL('start.mjs', import.meta.url));
/** Number of processes that run in parallel: one more than cores that are usual, because some files mostly wait. */
export const JOBS = 3;
/** Seconds after which a test file that hangs is ended. */
const TIMEOUT = 1200;

/**
 * Returns the files of `files` that are named or in a named folder; all if no name is given. Throws for names without any.
 * @param {readonly string[]} files
 * @param {readonly string[]} names
 */
export function choose(files, names) {
  const wanted = names.map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''));
  const isIn = (path, name) => path === name || path.startsWith(`${name}/`);
  for (const name of wanted) if (!files.some((path) => isIn(path, name))) throw new Error(`${name} has no such tests`);
  return files.filter((path) => wanted.length === 0 || wanted.some((name) => isIn(path, name)));
}

/**
 * @typedef {object} FileResult
 * @property {string} path
 * @property {boolean} ok
 * @property {string[]} lines its TAP
 * @property {Record<string, number>} counts of assertions: total, pass, fail, skip, todo. The first file of a process has its
 *   counts
 * @property {number} ms
 */

/**
 * Runs groups of files in order, each in a process; `onEnd` gets the result of each file.
 * @param {readonly (readonly string[])[]} groups
 * @param {(result: FileResult) => void} onEnd
 * @param {{ timeout?: number, environment?: Record<string, string> }} [options] `timeout` in seconds, 0 for none
 */
export async function runFiles(groups, onEnd, { timeout = TIMEOUT, environment = {} } = {}) {
  passSignalsOn();
  const waiting = [...groups];
  const env = { ...process.env, ...environment, TAP_TIMEOUT: String(timeout) };
  const work = async () => {
    for (let paths = waiting.shift(); paths !== undefined; paths = waiting.shift()) {
      for (const result of await runGroup(paths, env, timeout)) onEnd(result);
    }
  };
  await Promise.all(Array.from({ length: JOBS }, work));
}

const running = new Set();

/** Ends the files that run when this process is told to end. */
function passSignalsOn() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal);
      process.kill(process.pid, signal);
    });
  }
}

/** @returns {Promise<FileResult[]>} */
async function runGroup(paths, env, timeout) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', START, ...paths], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  // The process itself reports what takes too long, unless it never yields.
  const timer = timeout > 0 && setTimeout(() => child.kill('SIGKILL'), (timeout + 60) * 1000);
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const end = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  clearTimeout(timer);
  running.delete(child);
  const lines = Buffer.concat(chunks).toString().split('\n');
  return resultsOf(paths, lines, end, Math.round(performance.now() - started));
}

/**
 * The results of the files of one process, which printed `lines` as TAP and ended with `end`, its code or signal.
 * @returns {FileResult[]}
 */
export function resultsOf(paths, lines, end, ms) {
  const isWhole = lines.some((line) => /^1\.\.\d/.test(line));
  const counts = (isWhole && countsOf(lines)) || { total: 0, pass: 0 };
  const results = paths.map((path, i) => {
    if (paths.length === 1) return { path, ok: end === 0 && isWhole, lines, counts, ms };
    // a file is a test of the process
    const at = lines.findIndex((line) => /^(?:not )?ok \d+ - (\S+)/.exec(line)?.[1] === path);
    const from = lines.lastIndexOf(`# Subtest: ${path}`);
    const own = from < 0 ? [] : lines.slice(from, at < 0 ? undefined : at + 1);
    const time = Math.round(Number(/# time=([\d.]+)ms/.exec(lines[at] ?? '')?.[1] ?? 0));
    return { path, ok: at >= 0 && lines[at].startsWith('ok'), lines: own, counts: i === 0 ? counts : {}, ms: time };
  });
  // Usually a test failed and the file said so; it may also have ended early, or failed outside of its tests.
  if (!isWhole) for (const result of results.filter(({ ok }) => !ok)) addFailure(result, end, false);
  else if (end !== 0 && !counts.fail) addFailure(results.at(-1), end, true);
  return results;
}

function addFailure(result, end, isWhole) {
  const { lines, counts } = result;
  lines.push(`not ok - the process ended (${end})${isWhole ? '' : ' before its tests did'}`);
  result.ok = false;
  counts.total = (counts.total ?? 0) + 1;
  counts.fail = (counts.fail ?? 0) + 1;
}

/** The numbers in the closing line of a file: `# { total: 5, pass: 3, fail: 1, skip: 1 }`. */
function countsOf(lines) {
  const found = lines.map((line) => /^# \{ (.*) \}$/.exec(line)?.[1]).findLast((text) => text !== undefined);
  if (found === undefined) return undefined;
  return Object.fromEntries(found.split(', ').map((pair) => [pair.split(': ')[0], Number(pair.split(': ')[1])]));
}

/**
 * The parts of a file's TAP that say what failed and what was skipped.
 * @param {readonly string[]} lines
 */
export function remarksOf(lines) {
  let isInFailure = false;
  return lines.filter((line) => {
    const text = line.trim();
    if (text.startsWith('not ok')) isInFailure = true;
    else if (/^ok\b|^# Subtest/.test(text)) isInFailure = false;
    const isShown = isInFailure || / # (SKIP|TODO)\b/i.test(text);
    if (text === '...') isInFailure = false;
    return isShown && text !== '';
  });
}

/** @param {readonly FileResult[]} results */
export function totalOf(results) {
  const total = { total: 0, pass: 0 };
  for (const { counts } of results) {
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  }
  const counts = Object.entries(total).map(([name, count]) => `${name}: ${count}`);
  return `# { ${counts.join(', ')} }`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  let paths = [];
  const all = testFiles();
  const names = argv.slice(2).filter((name) => name !== '--full');
  const wantsFull = names.length < argv.slice(2).length;
  try {
    paths = choose(all, names).filter((path) => names.length > 0 || isFull(path) === wantsFull);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(2);
  }
  const started = performance.now();
  const results = [];
  console.log(`TAP version 14\n1..${paths.length}`);
  const groups = new Map();
  for (const path of paths) {
    const process = findBundle(join(ROOT, path)) ?? path;
    groups.set(process, [...(groups.get(process) ?? []), path]);
  }
  await runFiles([...groups.values()], (result) => {
    const { path, ok, lines, ms } = result;
    results.push(result);
    console.log(`${ok ? 'ok' : 'not ok'} ${results.length} - ${path} # time=${ms}ms`);
    for (const line of remarksOf(lines)) console.log(`    ${line}`);
  });
  if (names.length === 0 && !wantsFull) console.log(leftOut(all));
  console.log(`${totalOf(results)}\n# time=${Math.round(performance.now() - started)}ms`);
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}
