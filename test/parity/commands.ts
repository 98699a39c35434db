// Runs the command line in a runtime: what it prints, writes and answers must be what it is in Node.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../checkout.js';
import type { Result } from './compare.js';
import type { Program } from './runtimes/programs.js';

interface Step {
  readonly name: string;
  /** OUT is the folder for files. */
  readonly args: readonly string[];
  /** The exit code, 0 unless given. */
  readonly code?: number;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const QUOTE = join(ROOT, 'examples/quote.json');
const ROWS = ['data/templates/event-card.json', 'data/templates/event-card.csv'];
const STEPS: readonly Step[] = [
  { name: 'render-to-stdout', args: ['examples/quote.json'] },
  { name: 'render-stdin-to-file', args: ['-', '-o', 'OUT/quote.webp'], input: readFileSync(QUOTE, 'utf8') },
  { name: 'render-with-variables', args: [ROWS[0], '--var', 'title=Hello', '-o', 'OUT/event.avif'] },
  { name: 'validate', args: ['validate', 'examples/quote.json'] },
  {
    name: 'invalid-payload',
    args: ['-'],
    input: '{"canvas": {"width": 0, "height": 10}, "layers": [{"type": "txt"}]}',
    code: 1,
  },
  { name: 'missing-file', args: ['missing.json'], code: 1 },
  { name: 'lint', args: ['templates', 'lint', ROWS[0]] },
  { name: 'fonts', args: ['fonts'] },
  { name: 'help', args: ['--help'] },
  { name: 'batch', args: ['batch', ...ROWS, '-o', 'OUT/{file}.png'] },
  { name: 'batch-in-one-process', args: ['batch', ...ROWS, '-o', 'OUT/{file}.jpg'], env: { RENDER_WORKERS: '0' } },
];
/** A command that runs longer is stuck. */
const MAX_MS = 120_000;

/** The results of all commands. */
export async function runCommands(program: Program): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of STEPS) results.push(await inFolder(step.name, (folder) => runStep(program, step, folder)));
  results.push(await inFolder('serve', (folder) => serve(program, folder)));
  return results;
}

async function inFolder(name: string, run: (folder: string) => Promise<string>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-parity-'));
  const text = (raw: string) => raw.replaceAll(folder, 'OUT').replace(/\d+\.\d s/g, 'N s');
  try {
    return { name: `commands/${name}`, output: text(await run(folder)) };
  } catch (error) {
    return { name: `commands/${name}`, error: text((error as Error).message) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start({ path, flags, env }: Program, args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(path, [...flags, join(ROOT, 'dist/bin/render.js'), ...args], {
    cwd: ROOT,
    env: { ...env, ...more },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
  child.on('close', () => clearTimeout(timer));
  return child;
}

const ended = (child: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/**
 * Runs a step. Returns its output without durations, and the digests of the files that it wrote. Throws for another exit code
 * than expected.
 */
async function runStep(program: Program, { args, code = 0, input = '', env }: Step, folder: string): Promise<string> {
  const all = args.map((argument) => argument.replace('OUT', folder));
  const child = start(program, all, env);
  const written: Buffer[] = [];
  let errors = '';
  child.stdout?.on('data', (bytes) => written.push(bytes));
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const end = await ended(child);
  if (end !== `exit code ${code}`) throw new Error(`${end}, expected ${code}: ${errors}`);
  const output = Buffer.concat(written);
  const shown = isText(output) ? output.toString() : sha256(output);
  const files = readdirSync(folder).sort();
  return [shown, errors, ...files.map((file) => `${file} ${sha256(readFileSync(join(folder, file)))}`)].join('\n');
}

/** Images have zeros. */
const isText = (bytes: Uint8Array) => !bytes.includes(0);

/** The service, from `platen init` to SIGTERM. */
async function serve(program: Program, folder: string): Promise<string> {
  const init = start(program, ['init', '--data', folder]);
  let printed = '';
  init.stdout?.on('data', (text) => {
    printed += text;
  });
  const report = [`init: ${await ended(init)}`];
  const key = /svc_live_\w+/.exec(printed)?.[0];
  const server = start(program, ['serve', '--data', folder, '--port', '0'], { LOG_LEVEL: 'silent' });
  const stopped = ended(server);
  try {
    const line = await new Promise<string>((resolve, reject) => {
      if (server.stdout) createInterface({ input: server.stdout }).once('line', resolve);
      stopped.then((end) => reject(new Error(`serve: ${end}`)), reject);
    });
    const url = line.replace('listening on ', '');
    const post = async (body: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/render`, { method: 'POST', headers, body });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      // an error has the id of its request
      const shown = answer.ok
        ? sha256(bytes)
        : Buffer.from(bytes)
            .toString()
            .replace(/"requestId":"[^"]*"/, '');
      report.push(`${answer.status} ${answer.headers.get('content-type')} ${shown}`);
    };
    await post(readFileSync(join(ROOT, 'test/golden/shapes/kinds.json'), 'utf8'));
    await post(readFileSync(join(ROOT, 'test/golden/text/wrap.json'), 'utf8'));
    await post('{"canvas": {"width": 10, "height": 10}, "layers": [{"type": "image"}]}');
    report.push(`readyz ${(await fetch(`${url}/readyz`)).status}`);
  } finally {
    server.kill('SIGTERM');
  }
  return [...report, `serve: ${await stopped}`].join('\n');
}
