// Starts the built program as a process, as its user does, and waits for the line that says that it listens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';

export interface ProgramOptions {
  readonly environment?: Record<string, string>;
  /** A command that becomes the program in its last arguments. */
  readonly wrapper?: readonly string[];
  /** The user and group to become; only root can. */
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

export interface Program {
  readonly pid: number;
  /** The address after `listening on`; undefined if the program ended before. */
  readonly address: string | undefined;
  /** The program's standard error so far. */
  errors(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

/** Runs the command of a built checkout. */
export async function startProgram(
  t: Test,
  checkout: string,
  words: readonly string[],
  { environment = {}, wrapper = [], uid, gid }: ProgramOptions = {},
): Promise<Program> {
  const [command, ...rest] = [...wrapper, process.execPath, join(checkout, 'dist/bin/render.js'), ...words];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  t.teardown(() => child.kill('SIGKILL'));
  let errors = '';
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const listens = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const [, address] = /^listening on (\S+)\n/m.exec(output) ?? [];
      if (address) resolve(address);
    });
  });
  const address = await Promise.race([listens, ended.then(() => undefined)]);
  return { pid: child.pid as number, address, errors: () => errors, kill: (signal) => void child.kill(signal), ended };
}

/** Makes a data folder with one workspace, and returns a key that renders. */
export async function makeData(folder: string): Promise<string> {
  const store = await openEmbeddedStore(folder);
  const { id } = await store.createWorkspace({ name: 'Test', plan: 'paid', credits: 1000 });
  const key = createRawKey();
  await store.createKey({ workspaceId: id, name: 'test', scopes: ['render:write'], hash: hashKey(key) });
  await store.close();
  return key;
}

export async function post(url: string, key: string, body: unknown): Promise<Response> {
  return await fetch(`${url}/v1/render`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
