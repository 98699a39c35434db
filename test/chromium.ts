// Drives a headless Chromium by its debugging protocol, over a pipe: opens pages and evaluates code in them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Test } from 'tap';

export const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  existsSync,
);

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

export interface Page {
  /** The value of an expression in the page; promises are awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
  send(method: string, parameters?: object): Promise<Record<string, never>>;
  /** Errors of the page's scripts and violations of its policy. */
  readonly problems: string[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly entry?: { readonly source: string; readonly text: string };
    readonly exceptionDetails?: { readonly text: string };
  };
  readonly result?: Record<string, never>;
  readonly error?: { readonly message: string };
}

/** Opens pages in a browser that ends with the test. */
export async function startChromium(t: Test): Promise<(url: string) => Promise<Page>> {
  const profile = await mkdtemp(join(tmpdir(), 'platen-browser-'));
  const child = spawn(CHROMIUM!, [...FLAGS, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await ended;
    // the browser's own processes may write there for a moment longer
    await rm(profile, { recursive: true, force: true, maxRetries: 20 });
  });
  const waiting = new Map<number, (message: Message) => void>();
  const problems: string[] = [];
  let rest = '';
  (child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages.map((text): Message => JSON.parse(text))) {
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      const { entry, exceptionDetails } = message.params ?? {};
      if (message.method === 'Log.entryAdded' && entry?.source === 'security') problems.push(entry.text);
      if (message.method === 'Runtime.exceptionThrown' && exceptionDetails) problems.push(exceptionDetails.text);
    }
  });
  let last = 0;
  const send = async (method: string, params: object = {}, sessionId?: string): Promise<Record<string, never>> => {
    const id = ++last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    (child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answer;
    waiting.delete(id);
    if (!result) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  return async (url) => {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const sendHere = (method: string, parameters?: object) => send(method, parameters, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log']) await sendHere(`${domain}.enable`);
    const evaluate = async <Value>(expression: string): Promise<Value> => {
      const given = { expression, awaitPromise: true, returnByValue: true };
      const answer = (await sendHere('Runtime.evaluate', given)) as {
        readonly result?: { readonly value?: Value };
        readonly exceptionDetails?: { readonly exception?: { readonly description?: string }; readonly text: string };
      };
      const failure = answer.exceptionDetails;
      if (failure) throw new Error(failure.exception?.description ?? failure.text);
      return answer.result?.value as Value;
    };
    await sendHere('Page.navigate', { url });
    while (!(await evaluate<boolean>(`location.href !== 'about:blank' && document.readyState === 'complete'`))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { evaluate, send: sendHere, problems };
  };
}
