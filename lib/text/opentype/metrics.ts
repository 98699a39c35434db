// Metrics of a font and the advances of its glyphs, with the fallbacks that HarfBuzz has.
import type { MetricTag } from '../text-engine.js';
import type { Data } from './data.js';
import { advanceDeltas, metricDeltas } from './variations.js';

/** Bit 7 of OS/2 fsSelection: the typographic metrics are the ones to use. */
const USE_TYPO_METRICS = 0x80;

export interface Metrics {
  readonly unitsPerEm: number;
  readonly ascender: number;
  readonly descender: number;
  metric(tag: MetricTag): number;
  advance(glyph: number): number;
  leftSideBearing(glyph: number): number;
  readonly glyphs: number;
}

/** `positions` of the axes; empty at the default. */
export function readMetrics(tables: ReadonlyMap<string, Data>, positions: readonly number[]): Metrics {
  const [head, hhea, os2, post, hmtx, maxp] = ['head', 'hhea', 'OS/2', 'post', 'hmtx', 'maxp'].map((tag) =>
    tables.get(tag),
  );
  const declared = head?.u16(18) ?? 0;
  const unitsPerEm = declared >= 16 && declared <= 16_384 ? declared : 1000;
  const glyphs = maxp?.u16(4) ?? 0;
  const longs = Math.min(hhea?.u16(34) ?? 0, Math.floor((hmtx?.length ?? 0) / 4));
  const base = extents(hhea, os2, unitsPerEm);
  const advanceDelta = advanceDeltas(tables.get('HVAR'), positions);
  const metricDelta = metricDeltas(tables.get('MVAR'), positions);
  const ascender = base.ascender + Math.round(metricDelta('hasc'));
  const descender = base.descender + Math.round(metricDelta('hdsc'));
  return {
    unitsPerEm,
    ascender,
    descender,
    glyphs,
    metric(tag) {
      if (tag === 'undo' || tag === 'unds') {
        if (post) return Math.round(post.i16(tag === 'undo' ? 8 : 10) + metricDelta(tag));
        return tag === 'undo' ? -unitsPerEm * 0.1 : Math.floor(unitsPerEm / 18);
      }
      if (os2) return Math.round(os2.i16(tag === 'stro' ? 28 : 26) + metricDelta(tag));
      return tag === 'stro' ? Math.floor(ascender / 2) : Math.floor(unitsPerEm / 18);
    },
    advance(glyph) {
      if (glyph >= glyphs) return 0;
      if (!hmtx || longs === 0) return Math.floor(unitsPerEm / 2);
      const advance = hmtx.u16(4 * Math.min(glyph, longs - 1));
      return advanceDelta ? advance + Math.round(advanceDelta(glyph)) : advance;
    },
    leftSideBearing(glyph) {
      if (!hmtx) return 0;
      return hmtx.i16(glyph < longs ? 4 * glyph + 2 : 4 * longs + 2 * (glyph - longs));
    },
  };
}

function extents(hhea: Data | undefined, os2: Data | undefined, unitsPerEm: number) {
  const typographic = os2 && { ascender: Math.abs(os2.i16(68)), descender: -Math.abs(os2.i16(70)) };
  const isSet = (one: { ascender: number; descender: number } | undefined) =>
    one !== undefined && (one.ascender !== 0 || one.descender !== 0);
  if (os2 && typographic && (os2.u16(62) & USE_TYPO_METRICS) !== 0 && isSet(typographic)) return typographic;
  const own = hhea && { ascender: Math.abs(hhea.i16(4)), descender: -Math.abs(hhea.i16(6)) };
  if (own && isSet(own)) return own;
  if (typographic && isSet(typographic)) return typographic;
  if (os2) {
    const windows = { ascender: os2.u16(74), descender: -os2.u16(76) };
    if (isSet(windows)) return windows;
  }
  const ascender = Math.floor(unitsPerEm * 0.8);
  return { ascender, descender: ascender - unitsPerEm };
}
