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
  /** Input and errors are a terminal: the command may ask the user. */
  readonly isInteractive?: boolean;
  readonly signal?: AbortSignal;
}

/** Small chunks, as a pipe may deliver them. */
async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += 7) yield bytes.subarray(i, i + 7);
}

export function createTestContext({
  directory,
  input = '',
  environment = {},
  isTTY = false,
  isInteractive = false,
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
      input: Object.assign(chunksOf(input), { isTTY: isInteractive }),
      output: Object.assign(sink(chunks.output), { isTTY }),
      errors: Object.assign(sink(chunks.errors), { isTTY: isInteractive }),
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
