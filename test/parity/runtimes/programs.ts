// Node, Deno and Bun: a process renders the cases.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../checkout.js';
import type { RunOptions } from './options.js';

/** A runtime's program, its flags and its environment. */
export interface Program {
  readonly path: string;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export async function runProgram(
  { path, flags, env }: Program,
  { file, pictures, onResult }: RunOptions,
): Promise<void> {
  const driver = join(ROOT, 'test/parity/runtimes/process.mjs');
  const args = [...flags, driver, join(ROOT, 'dist/lib/index.js'), file, ...(pictures ? ['--pictures'] : [])];
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-4000);
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) => resolve(code === 0 ? '' : `ended with ${signal ?? `exit code ${code}`}`));
  });
  for await (const line of createInterface({ input: child.stdout })) onResult(JSON.parse(line));
  const failure = await ended;
  if (failure !== '') throw new Error([failure, complaint.trim()].filter(Boolean).join('\n'));
}
