// A terminal made of memory, for commands under test.
import { Writable } from 'node:stream';
import type { CliContext } from '../../lib/cli/stdio.js';

export interface Recorded {
  readonly terminal: CliContext;
  output(): Buffer;
  errors(): string;
  /** Waits until what was written to the errors is as wanted. */
  seen(wanted: (errors: string) => boolean): Promise<void>;
}

interface Setup {
  readonly directory: string;
  readonly input?: string;
  readonly environment?: Record<string, string>;
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
}

export function recorded({ directory, input = '', environment = {}, isTTY = false, signal }: Setup): Recorded {
  const written: Record<'output' | 'errors', Buffer[]> = { output: [], errors: [] };
  let look: () => void = () => undefined;
  const sink = (chunks: Buffer[]) =>
    new Writable({
      write(chunk, _encoding, done) {
        chunks.push(Buffer.from(chunk));
        done();
        look();
      },
    });
  const errors = () => Buffer.concat(written.errors).toString();
  return {
    terminal: {
      directory,
      // No render and no download is late because the machine is slow.
      environment: { RENDER_TIMEOUT_MS: '600000', ASSET_TIMEOUT_MS: '600000', ...environment },
      input: (async function* () {
        // In pieces, as a pipe would bring it.
        const bytes = Buffer.from(input);
        for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
      })(),
      output: Object.assign(sink(written.output), { isTTY }),
      errors: sink(written.errors),
      ...(signal && { signal }),
    },
    output: () => Buffer.concat(written.output),
    errors,
    seen: (wanted) =>
      new Promise((resolve) => {
        look = () => {
          if (wanted(errors())) resolve();
        };
        look();
      }),
  };
}
