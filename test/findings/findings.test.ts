// Findings of `inspect`: each fault of docs/findings.md is found in its left half alone, and fixes remove what they are for.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { FINDING_CODES, type FindingCode } from '../../lib/contract/messages/findings.js';
import { patched } from '../../lib/findings/fixes/settle.js';
import type { Finding, InspectOptions } from '../../lib/index.js';
import { inspect } from '../any-payload.js';

const ROOT = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/findings.md', ROOT), 'utf8');

async function find(payload: unknown, options: InspectOptions = {}): Promise<readonly Finding[]> {
  const { findings } = await inspect(payload, { findings: true, ...options });
  t.ok(findings, 'has findings');
  return findings ?? [];
}

/** The two halves of a section's picture, each as a payload. */
function halves(code: string): [fault: object, fix: object] {
  const section = page.slice(page.indexOf(`### ${code}\n`));
  const [, json] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  const { layers } = JSON.parse(json ?? '') as { layers: { layers: object[]; backgroundColor: string }[] };
  const [fault, fix] = layers.map(({ layers: inner, backgroundColor }) => ({
    canvas: { width: 310, height: 220, backgroundColor },
    layers: inner,
  }));
  return [fault, fix];
}

/** Codes whose fault is no part of a picture. */
const ELSEWHERE: readonly FindingCode[] = ['unsafe_area', 'unused_variable'];
const UNFIXED: readonly FindingCode[] = ['image_upscaled', 'missing_glyphs'];

t.test('each section of docs/findings.md shows a fault and its fix', async (t) => {
  for (const code of FINDING_CODES) {
    t.match(page, `\n### ${code}\n`, `${code} has a section`);
    if (ELSEWHERE.includes(code)) continue;
    const [fault, fix] = halves(code);
    const found = await find(fault);
    const own = found.find((each) => each.code === code);
    t.ok(own, `${code}: the left half has it`);
    t.notOk(
      (await find(fix)).some((each) => each.code === code),
      `${code}: the right half has not`,
    );
    if (!own || UNFIXED.includes(code)) continue;
    t.ok(own.fix, `${code} has a fix`);
    const after = await find(patched(fault, own.fix ?? []));
    t.notOk(
      after.some((each) => each.code === code),
      `${code}: the fix removes it`,
    );
    t.ok(after.length < found.length, `${code}: the fix brings nothing`);
  }
});

const text = (fields: object) => ({
  type: 'text',
  text: 'Tonight',
  x: 300,
  y: 900,
  width: 480,
  height: 90,
  fontSize: 64,
  ...fields,
});
const story = (...layers: object[]) => ({ canvas: { width: 1080, height: 1920, backgroundColor: '#fff' }, layers });
const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);

t.test('an inspection has findings only if it is asked for them', async (t) => {
  const payload = story(text({ y: 2000 }));
  t.notOk('findings' in (await inspect(payload)));
  t.same(codes(await find(payload)), ['off_canvas']);
  t.same(codes(await find(payload, { ignore: ['off_canvas'] })), []);
});

t.test('safeArea names the platform whose margins are looked at', async (t) => {
  const payload = story(text({ y: 60 }));
  t.same(await find(payload), []);
  const [finding] = await find(payload, { safeArea: 'instagram-story' });
  t.match(finding, { code: 'unsafe_area', severity: 'warning', path: 'layers[0]' });
  t.same(await find(patched(payload, finding?.fix ?? []), { safeArea: 'instagram-story' }), []);
});

t.test('minReadable is the limit of text_too_small', async (t) => {
  const payload = story(text({ fontSize: 18 }));
  t.same(codes(await find(payload, { minReadable: 18 })), []);
  t.match(await find(payload, { minReadable: 18.5 }), [{ code: 'text_too_small', value: 18, limit: 18.5 }]);
});

t.test('a declared variable that nothing names is found at its path', async (t) => {
  const template = {
    name: 'Card',
    width: 400,
    height: 200,
    background: { color: '#ffffff' },
    placeholders: true,
    variables: { name: { type: 'string', default: 'Ada' }, city: { type: 'string', default: 'Bern' } },
    layers: [{ type: 'text', text: 'Hello {{name}}', x: 20, y: 60, width: 360, height: 60, fontSize: 32 }],
    hotspots: [],
  };
  const [finding, ...others] = await find(template);
  t.match(finding, { code: 'unused_variable', path: 'variables.city', severity: 'info' });
  t.same(finding?.fix, [{ op: 'remove', path: '/variables/city' }]);
  t.same(others, []);
});

t.test('a fix overwrites no expression', async (t) => {
  const template = {
    name: 'Card',
    width: 400,
    height: 200,
    background: { color: '#ffffff' },
    placeholders: true,
    hotspots: [],
    variables: { tone: { type: 'color', default: '#eeeeee' } },
    layers: [{ type: 'text', text: 'Hello', x: 20, y: 60, width: 360, height: 60, fontSize: 32, color: '{{= tone }}' }],
  };
  const [finding] = await find(template);
  t.match(finding, { code: 'low_contrast', severity: 'error' });
  const paths = (finding?.fix ?? []).map(({ path }) => path);
  t.notOk(paths.includes('/layers/0/color'), 'the color stays what it is');
});

t.test('rotated text, text on a path and plates beneath pictures are no faults', async (t) => {
  const payload = {
    canvas: { width: 400, height: 400, backgroundColor: '#ffffff' },
    layers: [
      text({ x: 40, y: 40, width: 320, fontSize: 40, rotation: -30, text: 'Turned' }),
      { type: 'text', text: 'beneath it', x: 200, y: 130, width: 160, height: 40, fontSize: 20 },
      { type: 'shape', shapeType: 'rectangle', x: 20, y: 200, width: 100, height: 100, fillColor: '#e5e7eb' },
      {
        type: 'image',
        url: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
        x: 20,
        y: 200,
        width: 100,
        height: 100,
      },
    ],
  };
  t.same(await find(payload), []);
});

t.test('the examples and starters have no errors', async (t) => {
  for (const folder of ['examples', 'data/templates']) {
    const files = readdirSync(new URL(folder, ROOT)).filter((name) => name.endsWith('.json'));
    for (const name of files) {
      const payload: unknown = JSON.parse(readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8'));
      const baseDirectory = fileURLToPath(new URL(folder, ROOT));
      const findings = await find(payload, { baseDirectory, ignore: ['low_contrast'] } as InspectOptions);
      t.same(findings, [], `${folder}/${name}`);
    }
  }
});
