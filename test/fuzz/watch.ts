// A watchdog thread: if the main thread hangs on an input, it saves the input and kills the process.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { LARGEST } from './bytes.js';

export interface Watch {
  /** `path`: where `input` goes if the thread stands still. */
  look(path: string, input: Uint8Array): void;
  end(): Promise<unknown>;
}

interface Shared {
  readonly beat: Int32Array;
  readonly path: Uint8Array;
  readonly input: Uint8Array;
}

const BEAT_MS = 200;
/** Without a beat for so long, in milliseconds, the thread stands still. */
const STILL_MS = 120_000;
/** Places in `beat`: the count, the length of the path, the length of the input. */
const [COUNT, PATH, INPUT] = [0, 1, 2];

export function startWatch(): Watch {
  const shared: Shared = {
    beat: new Int32Array(new SharedArrayBuffer(12)),
    path: new Uint8Array(new SharedArrayBuffer(1024)),
    input: new Uint8Array(new SharedArrayBuffer(2 * LARGEST)),
  };
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: shared });
  worker.unref();
  const timer = setInterval(() => Atomics.add(shared.beat, COUNT, 1), BEAT_MS);
  timer.unref();
  return {
    look(path, input) {
      const name = Buffer.from(path);
      shared.path.set(name);
      shared.input.set(input.subarray(0, shared.input.length));
      Atomics.store(shared.beat, PATH, name.length);
      Atomics.store(shared.beat, INPUT, input.length);
    },
    end() {
      clearInterval(timer);
      return worker.terminate();
    },
  };
}

function watch({ beat, path, input }: Shared): void {
  let last = -1;
  for (;;) {
    const now = Atomics.load(beat, COUNT);
    if (now === last) {
      const file = Buffer.from(path.slice(0, beat[PATH])).toString();
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, input.slice(0, beat[INPUT]));
      writeFileSync(2, `the parent stands still on ${file}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
    last = now;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STILL_MS);
  }
}

if (!isMainThread && workerData?.beat) watch(workerData as Shared);
