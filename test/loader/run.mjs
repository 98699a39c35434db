// Runs test files, each in a process of its own, and prints TAP: one test for each file, with its failures and skipped
// tests. Tap's own command took 0.4 s of processor time more for each file, and 20 s to read and format all assertions.
//   npm test                        all but the files of selection.mjs
//   npm test -- FOLDER or FILE…     these files
//   npm run test:full               the files of selection.mjs
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { isFull, leftOut } from './selection.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START = fileURLToPath(new URL('start.mjs', import.meta.url));
/** Number of test files that run in parallel: one more than cores that are usual, because some files mostly wait. */
export const JOBS = 3;
/** Seconds after which a test file that hangs is ended. */
const TIMEOUT = 1200;

/** The names of all test files, relative to the root. Installed packages have thousands of files, so they are not searched. */
export function testFiles(folder = 'test') {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path);
      return path.endsWith('.test.ts') ? [path] : [];
    })
    .sort();
}

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
 * @property {Record<string, number>} counts of its assertions: total, pass, fail, skip, todo
 * @property {number} ms
 */

/**
 * Runs the files in order; `onEnd` gets each result.
 * @param {readonly string[]} paths
 * @param {(result: FileResult) => void} onEnd
 * @param {{ timeout?: number, environment?: Record<string, string> }} [options] `timeout` in seconds, 0 for none
 */
export async function runFiles(paths, onEnd, { timeout = TIMEOUT, environment = {} } = {}) {
  passSignalsOn();
  const waiting = [...paths];
  const env = { ...process.env, ...environment, TAP_TIMEOUT: String(timeout) };
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
      onEnd(await runFile(path, env, timeout));
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

/** @returns {Promise<FileResult>} */
async function runFile(path, env, timeout) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', START, path], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  // The file itself reports what takes too long, unless it never yields.
  const timer = timeout > 0 && setTimeout(() => child.kill('SIGKILL'), (timeout + 60) * 1000);
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const end = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  clearTimeout(timer);
  running.delete(child);
  const lines = Buffer.concat(chunks).toString().split('\n');
  const isWhole = lines.some((line) => /^1\.\.\d/.test(line));
  const counts = (isWhole && countsOf(lines)) || { total: 0, pass: 0 };
  const ok = end === 0 && isWhole;
  // Usually a test failed and the file said so; it may also have ended early, or failed outside of its tests.
  if (!ok && !counts.fail) {
    lines.push(`not ok - the process ended (${end})${isWhole ? '' : ' before its tests did'}`);
    counts.total++;
    counts.fail = 1;
  }
  return { path, ok, lines, counts, ms: Math.round(performance.now() - started) };
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
  await runFiles(paths, (result) => {
    const { path, ok, lines, ms } = result;
    results.push(result);
    console.log(`${ok ? 'ok' : 'not ok'} ${results.length} - ${path} # time=${ms}ms`);
    for (const line of remarksOf(lines)) console.log(`    ${line}`);
  });
  if (names.length === 0 && !wantsFull) console.log(leftOut(all));
  console.log(`${totalOf(results)}\n# time=${Math.round(performance.now() - started)}ms`);
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}
