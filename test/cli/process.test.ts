// The program as a separate process: exit codes, output larger than a pipe's buffer, a reader that closes early.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const program = fileURLToPath(new URL('../../bin/render.ts', import.meta.url));

/** Starts the program from source, with the loaders of this test process. */
function start(...argv: string[]) {
  return spawn(process.execPath, [...process.execArgv, program, ...argv], { stdio: 'pipe' });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

const canvas = { width: 8, height: 8 };
/** A shape whose description as JSON, many times over, exceeds the buffer of a pipe. */
const shape = { type: 'shape', shapeType: 'rectangle', x: 1234.5, y: 1234.5, width: 1234.5, height: 1234.5 };
const large = JSON.stringify({ canvas, layers: new Array(500).fill({ ...shape, id: 'a'.repeat(100) }) });

t.test('writes the image and exits', async (t) => {
  const child = start('-');
  child.stdin.end(JSON.stringify({ canvas, layers: [] }));
  const [bytes, errors, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
  t.equal(errors.toString(), '');
  t.equal(code, 0);
  t.equal(bytes.toString('latin1', 1, 4), 'PNG');
  t.equal(bytes.toString('latin1', bytes.length - 8, bytes.length - 4), 'IEND');
});

t.test('writes output larger than a pipe’s buffer completely', async (t) => {
  const child = start('inspect', '--json', '-');
  child.stdin.end(large);
  const [bytes, [code]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
  t.equal(code, 0);
  t.ok(bytes.length > 2 * 65_536, `${bytes.length} bytes`);
  t.equal(JSON.parse(bytes.toString()).layers.length, 500);
});

t.test('a reader that closes early causes no error', async (t) => {
  const child = start('inspect', '--json', '-');
  const errors = textOf(child.stderr);
  child.stdout.destroy();
  child.stdin.end(large);
  const [code] = await once(child, 'close');
  t.equal((await errors).toString(), '');
  t.equal(code, 0);
});

t.test('exits with code 2 on wrong usage', async (t) => {
  const [misused] = await once(start('--nonsense'), 'close');
  t.equal(misused, 2);
});
