// An in-memory CliContext for testing commands without a process.
import { Writable } from 'node:stream';
import type { CliContext } from '../../lib/cli/stdio.js';

export interface TestContext {
  readonly context: CliContext;
  /** Everything written to standard output. */
  output(): Buffer;
  /** Everything written to standard error. */
  errors(): string;
  /** Waits until the text on standard error satisfies `condition`. */
  waitForErrors(condition: (errors: string) => boolean): Promise<void>;
}

interface TestContextOptions {
  readonly directory: string;
  readonly input?: string;
  readonly environment?: Record<string, string>;
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
}

export function createTestContext({
  directory,
  input = '',
  environment = {},
  isTTY = false,
  signal,
}: TestContextOptions): TestContext {
  const chunks: Record<'output' | 'errors', Buffer[]> = { output: [], errors: [] };
  let onWrite: () => void = () => undefined;
  const sink = (target: Buffer[]) =>
    new Writable({
      write(chunk, _encoding, done) {
        target.push(Buffer.from(chunk));
        done();
        onWrite();
      },
    });
  const errors = () => Buffer.concat(chunks.errors).toString();
  return {
    context: {
      directory,
      // Long timeouts, so that no test fails because the machine is slow.
      environment: { RENDER_TIMEOUT_MS: '600000', ASSET_TIMEOUT_MS: '600000', ...environment },
      input: (async function* () {
        // Small chunks, as a pipe may deliver them.
        const bytes = Buffer.from(input);
        for (let i = 0; i < bytes.length; i += 7) yield bytes.subarray(i, i + 7);
      })(),
      output: Object.assign(sink(chunks.output), { isTTY }),
      errors: sink(chunks.errors),
      ...(signal && { signal }),
    },
    output: () => Buffer.concat(chunks.output),
    errors,
    waitForErrors: (condition) =>
      new Promise((resolve) => {
        onWrite = () => {
          if (condition(errors())) resolve();
        };
        onWrite();
      }),
  };
}
