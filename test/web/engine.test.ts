// The engine's side in the page, with workers that answer when the test says.
import t from 'tap';
import type { Request } from '../../lib/web-worker/messages.js';
import { createEngine } from '../../web/engine/engine.js';

type Run = Extract<Request, { readonly type: 'run' }>;

class TestWorker {
  static readonly started: TestWorker[] = [];
  readonly runs: Run[] = [];
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onerror = null;
  constructor() {
    TestWorker.started.push(this);
  }
  postMessage(request: Request): void {
    if (request.type === 'run') this.runs.push(request);
  }
  terminate(): void {}
  /** Answers the job that was sent last. */
  answer(): void {
    const { id, kind } = this.runs.at(-1)!;
    this.onmessage?.({ data: { type: 'result', id, result: kind } });
  }
}
Object.assign(globalThis, { Worker: TestWorker, ENGINE_WORKER: 'engine.js' });

const source = { payload: {} };

t.test('no job takes the place of one with another purpose', async (t) => {
  TestWorker.started.length = 0;
  const engine = createEngine({ workspaceId: 'ws_1', maxLayers: 1 });
  const jobs = [
    engine.draw(source),
    engine.draw(source),
    engine.draw(source, { digest: true }),
    engine.encode(source, { format: 'avif', use: 'size' }),
    engine.encode(source, { format: 'png', use: 'file' }),
    engine.encode(source, { format: 'png', use: 'size' }),
  ];
  const [drawing, encoding] = TestWorker.started;
  for (let i = 0; i < 3; i++) {
    drawing.answer();
    encoding.answer();
  }
  const kinds = ['draw', 'draw', 'digest', 'encode avif size', 'encode png file', 'encode png size'];
  t.strictSame(await Promise.all(jobs), kinds);
  engine.close();
});

t.test('of those that wait for the same, the latest is drawn', async (t) => {
  TestWorker.started.length = 0;
  const engine = createEngine({ workspaceId: 'ws_1', maxLayers: 1 });
  const [first, second, third] = [engine.draw(source), engine.draw(source), engine.draw(source)];
  await t.rejects(second, { name: 'AbortError' });
  const [drawing] = TestWorker.started;
  drawing.answer();
  drawing.answer();
  t.strictSame(await Promise.all([first, third]), ['draw', 'draw']);
  engine.close();
});

t.test('pictures come before findings', async (t) => {
  TestWorker.started.length = 0;
  const engine = createEngine({ workspaceId: 'ws_1', maxLayers: 1 });
  const jobs = [
    engine.draw(source),
    engine.validate(source),
    engine.draw(source),
    engine.draw(source, { digest: true }),
  ];
  const [drawing] = TestWorker.started;
  for (let i = 0; i < 4; i++) drawing.answer();
  await Promise.all(jobs);
  t.strictSame(
    drawing.runs.map(({ kind }) => kind),
    ['draw', 'draw', 'digest', 'validate'],
  );
  engine.close();
});
