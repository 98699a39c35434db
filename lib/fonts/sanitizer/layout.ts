// Checks GSUB, GPOS and GDEF: the script, feature and lookup lists and the subtables' headers are inside the table, and the
// numbers of subtables and of glyphs that one glyph expands to are bounded. HarfBuzz checks the rest: it ignores out-of-bounds
// data. The time that it compares rules with a text is not bounded here but by the limit for layout (stage-budget.ts).
import { assertInside, malformedFont, viewOf } from './errors.js';

/** Subtables of one table; one that lookups share counts each time. The maximum in 2,970 tested fonts is 2,291. */
const MAX_SUBTABLES = 8192;
/** List entries read in total; at most 4,380 in the tested fonts. Lists may share bytes, so the table's length is no bound. */
const MAX_ENTRIES = 1 << 20;
/** Glyphs that one glyph may expand to. Decompositions have two or three; the longest in the tested fonts has eight. */
export const MAX_SEQUENCE_LENGTH = 64;

/** The lookup type of extensions, and the highest lookup type. */
const GSUB_TYPES = { extension: 7, max: 8 };
const GPOS_TYPES = { extension: 9, max: 9 };

/** Reads list headers and limits the total number of entries. */
class ListReader {
  readonly view: DataView;
  private entries = 0;

  constructor(data: Uint8Array) {
    this.view = viewOf(data);
  }

  /** Reads the count at `at` and checks that its entries, `size` bytes each, follow inside the table. */
  readCount(at: number, size: number): number {
    const count = this.view.getUint16(at);
    assertInside(this.view, at + 2, count * size);
    this.entries += count;
    if (this.entries > MAX_ENTRIES) throw malformedFont(`its layout tables have more than ${MAX_ENTRIES} entries`);
    return count;
  }
}

/** Throws RenderError if the GSUB or GPOS table is malformed. */
export function checkLayout(data: Uint8Array, tag: 'GSUB' | 'GPOS'): void {
  const lists = new ListReader(data);
  const { view } = lists;
  if (view.getUint16(0) !== 1) throw malformedFont(`its ${tag} table has the version ${view.getUint16(0)}`);
  const lookups = view.getUint16(8);
  const lookupCount = lookups === 0 ? 0 : checkLookups(lists, lookups, tag);
  const features = view.getUint16(6);
  const featureCount = features === 0 ? 0 : checkFeatures(lists, features, lookupCount, tag);
  const scripts = view.getUint16(4);
  if (scripts !== 0) checkScripts(lists, scripts, featureCount, tag);
  if (view.getUint16(2) >= 1) {
    const variations = view.getUint32(10);
    if (variations !== 0) assertInside(view, variations + 8, 8 * view.getUint32(variations + 4));
  }
}

function checkScripts(lists: ListReader, at: number, features: number, tag: string): void {
  const { view } = lists;
  const seen = new Set<number>();
  const checkLanguage = (language: number) => {
    if (seen.has(language)) return;
    seen.add(language);
    const count = lists.readCount(language + 4, 2);
    for (let i = 0; i < count; i++) {
      const feature = view.getUint16(language + 6 + 2 * i);
      if (feature >= features) throw malformedFont(`its ${tag} table refers to the feature ${feature} of ${features}`);
    }
  };
  const count = lists.readCount(at, 6);
  for (let i = 0; i < count; i++) {
    const script = at + view.getUint16(at + 2 + 6 * i + 4);
    const defaultLanguage = view.getUint16(script);
    if (defaultLanguage !== 0) checkLanguage(script + defaultLanguage);
    const languages = lists.readCount(script + 2, 6);
    for (let j = 0; j < languages; j++) checkLanguage(script + view.getUint16(script + 4 + 6 * j + 4));
  }
}

function checkFeatures(lists: ListReader, at: number, lookups: number, tag: string): number {
  const { view } = lists;
  const features = lists.readCount(at, 6);
  const seen = new Set<number>();
  for (let i = 0; i < features; i++) {
    const feature = at + view.getUint16(at + 2 + 6 * i + 4);
    if (seen.has(feature)) continue;
    seen.add(feature);
    const count = lists.readCount(feature + 2, 2);
    for (let j = 0; j < count; j++) {
      const lookup = view.getUint16(feature + 4 + 2 * j);
      // Some font editors write 0xFFFF for "none".
      if (lookup >= lookups && lookup !== 0xffff)
        throw malformedFont(`its ${tag} table refers to the lookup ${lookup} of ${lookups}`);
    }
  }
  return features;
}

function checkLookups(lists: ListReader, at: number, tag: 'GSUB' | 'GPOS'): number {
  const { view } = lists;
  const types = tag === 'GSUB' ? GSUB_TYPES : GPOS_TYPES;
  const seen = new Set<number>();
  let subtables = 0;
  const count = lists.readCount(at, 2);
  for (let i = 0; i < count; i++) {
    const lookup = at + view.getUint16(at + 2 + 2 * i);
    const type = view.getUint16(lookup);
    if (type === 0 || type > types.max) throw malformedFont(`its ${tag} table has a lookup of type ${type}`);
    const subtableCount = lists.readCount(lookup + 4, 2);
    subtables += subtableCount;
    if (subtables > MAX_SUBTABLES) throw malformedFont(`its ${tag} table has more than ${MAX_SUBTABLES} subtables`);
    for (let j = 0; j < subtableCount; j++) {
      const subtable = lookup + view.getUint16(lookup + 6 + 2 * j);
      const [offset, subtableType] =
        type === types.extension ? resolveExtension(view, subtable, tag) : [subtable, type];
      // Only a hostile font uses one subtable as two types; the header of a repeated one is checked once.
      if (seen.has(subtable)) continue;
      seen.add(subtable);
      checkSubtable(lists, offset, subtableType, tag);
    }
  }
  return count;
}

/** The offset and type of the subtable that an extension subtable points to. */
function resolveExtension(view: DataView, at: number, tag: 'GSUB' | 'GPOS'): [at: number, type: number] {
  const { extension, max } = tag === 'GSUB' ? GSUB_TYPES : GPOS_TYPES;
  const type = view.getUint16(at + 2);
  if (type === 0 || type > max || type === extension)
    throw malformedFont(`its ${tag} table extends a lookup of type ${type}`);
  return [at + view.getUint32(at + 4), type];
}

/** Checks the format, the coverage if it comes first, and every sequence of GSUB's multiple substitutions. */
function checkSubtable(lists: ListReader, at: number, type: number, tag: 'GSUB' | 'GPOS'): void {
  const { view } = lists;
  const format = view.getUint16(at);
  const isContextual = tag === 'GSUB' ? type === 5 || type === 6 : type === 7 || type === 8;
  if (format === 0 || format > 3) throw malformedFont(`its ${tag} table has a subtable of format ${format}`);
  if (isContextual && format === 3) return;
  checkCoverage(view, at + view.getUint16(at + 2));
  if (tag !== 'GSUB' || type !== 2) return;
  const sequences = lists.readCount(at + 4, 2);
  for (let i = 0; i < sequences; i++) {
    const sequence = at + view.getUint16(at + 6 + 2 * i);
    const length = view.getUint16(sequence);
    assertInside(view, sequence + 2, 2 * length);
    if (length > MAX_SEQUENCE_LENGTH)
      throw malformedFont(`one glyph expands to ${length}, ${MAX_SEQUENCE_LENGTH} at most`);
  }
}

function checkCoverage(view: DataView, at: number): void {
  const format = view.getUint16(at);
  // A coverage of another format covers nothing: some old fonts have wrong offsets.
  if (format === 1 || format === 2) assertInside(view, at + 4, view.getUint16(at + 2) * (format === 1 ? 2 : 6));
}

/** Checks GDEF: the glyph classes, mark classes and mark sets are inside the table. Returns its variation store's offset. */
export function checkGlyphClasses(data: Uint8Array): number {
  const lists = new ListReader(data);
  const { view } = lists;
  for (const at of [view.getUint16(4), view.getUint16(10)]) if (at !== 0) checkClasses(lists, at);
  for (const at of [view.getUint16(6), view.getUint16(8)]) if (at !== 0) assertInside(view, at, 4);
  const minor = view.getUint16(2);
  const sets = minor >= 2 ? view.getUint16(12) : 0;
  if (sets !== 0) {
    const count = lists.readCount(sets + 2, 4);
    for (let i = 0; i < count; i++) {
      const set = view.getUint32(sets + 4 + 4 * i);
      if (set !== 0) checkCoverage(view, sets + set);
    }
  }
  return minor >= 3 ? view.getUint32(14) : 0;
}

function checkClasses(lists: ListReader, at: number): void {
  const { view } = lists;
  const format = view.getUint16(at);
  if (format === 1) lists.readCount(at + 4, 2);
  else if (format === 2) lists.readCount(at + 2, 6);
}
