// The program as a process of its own: exit codes, more bytes than a pipe holds, a reader that leaves early.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const program = fileURLToPath(new URL('../../bin/render.ts', import.meta.url));

/** Starts the program from its source, through the loaders that this test itself was started with. */
function start(...words: string[]) {
  return spawn(process.execPath, [...process.execArgv, program, ...words], { stdio: 'pipe' });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

const canvas = { width: 8, height: 8 };
/** As JSON, more findings than a pipe holds. */
const faulty = JSON.stringify({ canvas, layers: new Array(400).fill({ type: 'text', x: 'left' }) });

t.test('a picture comes out, and the process ends', async (t) => {
  const child = start('-');
  child.stdin.end(JSON.stringify({ canvas, layers: [] }));
  const [bytes, errors, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
  t.equal(errors.toString(), '');
  t.equal(code, 0);
  t.equal(bytes.toString('latin1', 1, 4), 'PNG');
  t.equal(bytes.toString('latin1', bytes.length - 8, bytes.length - 4), 'IEND');
});

t.test('more than a pipe holds arrives whole', async (t) => {
  const child = start('validate', '--json', '-');
  child.stdin.end(faulty);
  const [bytes, [code]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
  t.equal(code, 1);
  t.ok(bytes.length > 2 * 65_536, `${bytes.length} bytes`);
  t.equal(JSON.parse(bytes.toString()).errors.length, 400 * 5);
});

t.test('a reader that leaves early is no error', async (t) => {
  const child = start('validate', '--json', '-');
  const errors = textOf(child.stderr);
  child.stdout.destroy();
  child.stdin.end(faulty);
  const [code] = await once(child, 'close');
  t.equal((await errors).toString(), '');
  t.equal(code, 1);
});

t.test('wrong usage ends with 2', async (t) => {
  const [misused] = await once(start('--nonsense'), 'close');
  t.equal(misused, 2);
});
