// The live preview, with an engine that answers when the test says.
import { once } from 'node:events';
import { effect, signal } from '@preact/signals';
import t from 'tap';
import { RenderError, type Warning } from '../../../lib/errors.js';
import type { Engine } from '../../../web/engine/engine.js';
import type { Picture, Source } from '../../../web/engine/messages.js';
import { createLivePreview } from '../../../web/preview/live-preview.js';

interface Drawing {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly isWhole: boolean;
  readonly succeed: (warnings?: Picture['warnings'], more?: Partial<Picture>) => void;
  readonly fail: (error: unknown) => void;
}

function createWorld() {
  const drawings: Drawing[] = [];
  const validation = { valid: true, details: [], warnings: [] as Warning[] };
  const engine = {
    draw: (source: Source, { signal, isWhole }: { readonly signal: AbortSignal; readonly isWhole: boolean }) =>
      new Promise((resolve, reject) => {
        const picture = {
          data: new Uint8ClampedArray(4),
          width: 1,
          height: 1,
          timings: {},
          format: 'png',
          quality: 90,
        };
        const succeed: Drawing['succeed'] = (warnings = [], more = {}) => resolve({ ...picture, warnings, ...more });
        drawings.push({ source, signal, isWhole, succeed, fail: reject });
      }),
    validate: async () => validation,
  } as unknown as Engine;
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    drawings,
    validation,
    preview: createLivePreview(engine, { patienceMs: 0, pause: async () => {} }),
    settled,
  };
}

t.test('draws each text, and shows what is wrong or doubtful about the latest', async (t) => {
  const { drawings, validation, preview, settled } = createWorld();
  preview.update('{"a": 1}', { title: 'x' });
  t.same(drawings[0].source, { payload: { a: 1 }, variables: { title: 'x' } });
  t.equal(preview.isDrawing.value, true);
  validation.warnings.push({ code: 'unknown_field', path: 'a', message: 'is unknown' });
  drawings[0].succeed([
    { code: 'unknown_field', path: 'a', message: 'is unknown' },
    { code: 'text_overflow', path: 'b', message: 'overflows' },
  ]);
  await settled();
  t.equal(preview.isDrawing.value, false);
  t.same(preview.latestPicture.value?.source.payload, { a: 1 });
  t.same(preview.findings.value, [
    { severity: 'warning', code: 'unknown_field', path: 'a', message: 'is unknown' },
    { severity: 'warning', code: 'text_overflow', path: 'b', message: 'overflows' },
  ]);
});

t.test('keeps the last good picture while the text is not JSON or can’t be drawn', async (t) => {
  const { drawings, preview, settled } = createWorld();
  preview.update('{"good": 1}');
  drawings[0].succeed();
  await settled();
  t.equal(preview.isStale.value, false);

  preview.update('{"good": }');
  t.equal(drawings.length, 1, 'nothing to draw');
  t.equal(preview.isStale.value, true);
  t.same(preview.findings.value, [
    { severity: 'error', path: '', position: 9, message: 'received "}", expected a value' },
  ]);

  preview.update('{"bad": 1}');
  const details = [{ code: 'missing_value' as const, path: 'canvas', message: 'received nothing, expected an object' }];
  drawings[1].fail(new RenderError('invalid_request', 'malformed', { details }));
  await settled();
  t.equal(preview.isStale.value, true);
  t.same(preview.findings.value, [{ severity: 'error', ...details[0] }]);
  t.same(preview.latestPicture.value?.source.payload, { good: 1 });

  preview.update('{"good": 2}');
  drawings[2].succeed();
  await settled();
  t.equal(preview.isStale.value, false);
  t.same(preview.findings.value, []);
  t.same(preview.latestPicture.value?.source.payload, { good: 2 });
});

t.test('says nothing of a text that a later one took the place of', async (t) => {
  const { drawings, preview, settled } = createWorld();
  preview.update('{"n": 1}');
  preview.update('{"n": 2}');
  drawings[0].fail(new DOMException('a later render replaced this one', 'AbortError'));
  await settled();
  t.equal(preview.isDrawing.value, true);
  t.same(preview.findings.value, []);
  preview.update('{');
  drawings[1].succeed([{ code: 'no_effect', path: 'n', message: 'late' }]);
  await settled();
  t.same(preview.latestPicture.value?.source.payload, { n: 2 }, 'its picture is newer than the one before');
  t.match(preview.findings.value, [{ position: 1 }]);
  t.equal(preview.isStale.value, true);
});

t.test('gives up a picture that does not come once a later text takes its place', async (t) => {
  for (const later of ['{"n": 2}', '{']) {
    const { drawings, preview } = createWorld();
    preview.update('{"url": "https://hangs.example/"}');
    const { signal } = drawings[0];
    t.equal(signal.aborted, false);
    const givenUp = once(signal, 'abort');
    preview.update(later);
    t.equal(signal.aborted, false, 'not at once: typing shows pictures on the way');
    await givenUp;
    t.equal(drawings[1]?.signal.aborted ?? false, false, 'the later one goes on');
  }
});

t.test('forgets the fault of an earlier text’s syntax before the picture of the next one comes', async (t) => {
  const { drawings, preview } = createWorld();
  preview.update('{');
  t.match(preview.findings.value, [{ position: 1 }]);
  preview.update('{"n": 1}');
  t.same(preview.findings.value, []);
  t.equal(drawings.length, 1);
  t.equal(preview.isStale.value, true, 'the picture is still the one before');
});

t.test('an effect that draws does not run again when findings come', async (t) => {
  const { drawings, preview, settled } = createWorld();
  const payload = signal({ a: 1 });
  const stop = effect(() => preview.show({ payload: payload.value }));
  drawings[0].succeed([{ code: 'no_effect', path: 'a', message: 'is doubtful' }]);
  await settled();
  t.equal(preview.findings.value.length, 1);
  t.equal(drawings.length, 1);
  payload.value = { a: 2 };
  t.equal(drawings.length, 2);
  drawings[1].fail(new RenderError('render_failed', 'it is wrong', { details: [] }));
  await settled();
  t.equal(drawings.length, 2);
  stop();
});

/** A canvas that says what is put into it: the columns from and to. */
function createCanvas() {
  const put: string[] = [];
  const context = { putImageData: ({ width }: { width: number }, x: number) => put.push(`${x} to ${x + width}`) };
  return { put, canvas: { width: 0, height: 0, getContext: () => context } as unknown as HTMLCanvasElement };
}

/** Browser features that Node lacks. */
Object.assign(globalThis, {
  ImageData: class {
    constructor(
      readonly data: Uint8ClampedArray,
      readonly width: number,
      readonly height: number,
    ) {}
  },
});

t.test('puts what changed into the canvas, and asks for the whole picture after one was left out', async (t) => {
  const { drawings, preview, settled } = createWorld();
  const { put, canvas } = createCanvas();
  preview.attach(canvas);
  preview.show({ payload: 1 });
  t.equal(drawings[0].isWhole, true);
  drawings[0].succeed([], { serial: 1 });
  await settled();
  const part = { left: 2, top: 0, right: 3, bottom: 1 };
  preview.show({ payload: 2 });
  t.equal(drawings[1].isWhole, false);
  drawings[1].succeed([], { serial: 2, part });
  await settled();
  t.same(put, ['0 to 1', '2 to 3']);
  preview.show({ payload: 3 });
  drawings[2].succeed([], { serial: 4, part });
  await settled();
  t.same(preview.latestPicture.value?.source.payload, 2);
  t.equal(drawings[3].isWhole, true);
  drawings[3].succeed([], { serial: 5 });
  await settled();
  t.same(put, ['0 to 1', '2 to 3', '0 to 1']);
  t.same(preview.latestPicture.value?.source.payload, 3);
});

t.test('draws the whole picture again for another canvas', async (t) => {
  const { drawings, preview, settled } = createWorld();
  preview.show({ payload: 1 });
  drawings[0].succeed([], { serial: 1 });
  await settled();
  const { put, canvas } = createCanvas();
  preview.attach(canvas);
  t.equal(drawings[1].isWhole, true);
  drawings[1].succeed([], { serial: 2 });
  await settled();
  t.same(put, ['0 to 1']);
});
