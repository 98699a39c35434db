// The text engine for hosts without WebAssembly: reads fonts and shapes text in TypeScript. Scripts whose syllables must be
// reordered are not supported.
import { Path } from '../../geometry/path.js';
import type { Glyph } from '../glyph.js';
import type { Axis, Font, MetricTag, ShapeOptions, TextEngine } from '../text-engine.js';
import { cffOutlines } from './cff.js';
import { type CharacterMap, readCharacterMap } from './cmap.js';
import { type Data, readTables } from './data.js';
import { glyfOutlines, type Outlines } from './glyf.js';
import { featureTagsOf } from './layout-tables.js';
import { type Metrics, readMetrics } from './metrics.js';
import { isSupportedScript } from './scripts.js';
import { Shaper } from './shaper.js';
import { glyphDeltas, positionsOf, readAxes } from './variations.js';

export const plainTextEngine: TextEngine = { open: (bytes) => new OpenTypeFont(bytes) };

class OpenTypeFont implements Font {
  readonly unitsPerEm: number;
  readonly axes: ReadonlyMap<string, Axis>;
  private readonly tables: ReadonlyMap<string, Data>;
  private readonly map: CharacterMap;
  private positions: readonly number[] = [];
  private metrics: Metrics;
  private shaper: Shaper;
  private outlines: Outlines | undefined;

  constructor(bytes: Uint8Array) {
    this.tables = readTables(bytes);
    this.map = readCharacterMap(this.tables.get('cmap'));
    this.axes = readAxes(this.tables.get('fvar'));
    this.metrics = readMetrics(this.tables, this.positions);
    this.shaper = new Shaper(this.tables, this.map, this.metrics, this.positions);
    this.unitsPerEm = this.metrics.unitsPerEm;
  }

  setVariations(settings: ReadonlyMap<string, number>): void {
    this.positions = positionsOf(this.tables, settings);
    const metrics = readMetrics(this.tables, this.positions);
    this.metrics = metrics;
    this.outlines = this.readOutlines();
    if (!this.tables.has('HVAR')) {
      const { advanceDelta } = this.outlines;
      this.metrics = { ...metrics, advance: (glyph) => Math.round(metrics.advance(glyph) + advanceDelta(glyph)) };
    }
    this.shaper = new Shaper(this.tables, this.map, this.metrics, this.positions);
  }

  extents(): { ascender: number; descender: number } {
    const { ascender, descender } = this.metrics;
    return { ascender, descender };
  }

  metric(tag: MetricTag): number {
    return this.metrics.metric(tag);
  }

  hasCharacters(): boolean {
    return !this.map.isEmpty;
  }

  glyph(codePoint: number): number {
    return this.map.glyph(codePoint);
  }

  canShape(script: string): boolean {
    return script === 'Arab' ? this.shaper.joinsArabic : isSupportedScript(script);
  }

  shape(text: string, start: number, end: number, options: ShapeOptions): Glyph[] {
    const { unitsPerEm } = this;
    return this.shaper.shape(text, start, end, options).map((item) => {
      const advance = this.metrics.advance(item.glyph);
      return {
        id: item.glyph,
        cluster: item.cluster,
        advance: advance / unitsPerEm,
        kerning: (item.advance - advance) / unitsPerEm,
        offsetX: item.offsetX / unitsPerEm,
        offsetY: item.offsetY / unitsPerEm,
        unsafeToBreak: item.unsafeToBreak,
      };
    });
  }

  outline(glyph: number): Path {
    this.outlines ??= this.readOutlines();
    return this.outlines.path(glyph);
  }

  table(tag: string): Uint8Array | undefined {
    return this.tables.get(tag)?.bytes.slice();
  }

  featureTags(table: 'GSUB' | 'GPOS'): string[] {
    const data = this.tables.get(table);
    return data ? featureTagsOf(data) : [];
  }

  private readOutlines(): Outlines {
    const [glyf, loca, head] = ['glyf', 'loca', 'head'].map((tag) => this.tables.get(tag));
    if (glyf && loca) {
      const deltas = glyphDeltas(this.tables.get('gvar'), this.positions);
      return glyfOutlines(glyf, loca, head?.u16(50) === 1, this.metrics, deltas);
    }
    const cff = this.tables.get('CFF ');
    return { path: cff ? cffOutlines(cff) : () => new Path(), advanceDelta: () => 0 };
  }
}
