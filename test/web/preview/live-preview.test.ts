// The live preview, with an engine that answers when the test says.
import { once } from 'node:events';
import t from 'tap';
import { RenderError } from '../../../lib/errors.js';
import type { Engine } from '../../../web/engine/engine.js';
import type { Picture, Source } from '../../../web/engine/messages.js';
import { createLivePreview } from '../../../web/preview/live-preview.js';

interface Drawing {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly succeed: (warnings?: Picture['warnings']) => void;
  readonly fail: (error: unknown) => void;
}

function createWorld() {
  const drawings: Drawing[] = [];
  const validation = { valid: true, details: [], warnings: [] as { path: string; message: string }[] };
  const engine = {
    draw: (source: Source, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const picture = {
          data: new Uint8ClampedArray(4),
          width: 1,
          height: 1,
          timings: {},
          format: 'png',
          quality: 90,
        };
        drawings.push({ source, signal, succeed: (warnings = []) => resolve({ ...picture, warnings }), fail: reject });
      }),
    validate: async () => validation,
  } as unknown as Engine;
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { drawings, validation, preview: createLivePreview(engine, { patienceMs: 0 }), settled };
}

t.test('draws each text, and shows what is wrong or doubtful about the latest', async (t) => {
  const { drawings, validation, preview, settled } = createWorld();
  preview.update('{"a": 1}', { title: 'x' });
  t.same(drawings[0].source, { payload: { a: 1 }, variables: { title: 'x' } });
  t.equal(preview.isDrawing.value, true);
  validation.warnings.push({ path: 'a', message: 'is unknown' });
  drawings[0].succeed([
    { path: 'a', message: 'is unknown' },
    { path: 'b', message: 'overflows' },
  ]);
  await settled();
  t.equal(preview.isDrawing.value, false);
  t.same(preview.shown.value?.source.payload, { a: 1 });
  t.same(preview.findings.value, [
    { severity: 'warning', path: 'a', message: 'is unknown' },
    { severity: 'warning', path: 'b', message: 'overflows' },
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
  const details = [{ path: 'canvas', message: 'received nothing, expected an object' }];
  drawings[1].fail(new RenderError('invalid_request', 'malformed', { details }));
  await settled();
  t.equal(preview.isStale.value, true);
  t.same(preview.findings.value, [{ severity: 'error', ...details[0] }]);
  t.same(preview.shown.value?.source.payload, { good: 1 });

  preview.update('{"good": 2}');
  drawings[2].succeed();
  await settled();
  t.equal(preview.isStale.value, false);
  t.same(preview.findings.value, []);
  t.same(preview.shown.value?.source.payload, { good: 2 });
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
  drawings[1].succeed([{ path: 'n', message: 'late' }]);
  await settled();
  t.same(preview.shown.value?.source.payload, { n: 2 }, 'its picture is newer than the one before');
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
