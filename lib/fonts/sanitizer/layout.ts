// GSUB, GPOS and GDEF: the lists at their tops, the lookups and the beginnings of their subtables lie within the
// table, and what shaping costs by them is bounded: lookups, subtables, rules (rules.ts), and the glyphs that one glyph
// becomes. What lies deeper is checked by HarfBuzz, which ignores what is out of bounds and has a budget for each text.
import { malformedFont, viewOf, within } from './errors.js';
import { LookupBudget } from './lookup-budget.js';

/** Subtables of one table, those that lookups share counted each time. The most in 2,970 fonts tried is 2,291. */
const MAX_SUBTABLES = 8192;
/** Entries read in all, 4,380 at most in the fonts tried; lists may share their bytes, so the table's length is no bound. */
const MAX_ENTRIES = 1 << 20;
/** Glyphs that one glyph may become: decompositions have two or three, the longest of the fonts tried eight. */
export const MAX_SEQUENCE = 64;

const GSUB = { extension: 7, last: 8 };
const GPOS = { extension: 9, last: 9 };

/** Counted reads of lists of 16-bit offsets. */
class Lists {
  readonly view: DataView;
  private entries = 0;

  constructor(data: Uint8Array) {
    this.view = viewOf(data);
  }

  /** How many entries of `size` bytes follow the count at `at`; they lie within the table. */
  count(at: number, size: number): number {
    const count = this.view.getUint16(at);
    within(this.view, at + 2, count * size);
    this.entries += count;
    if (this.entries > MAX_ENTRIES) throw malformedFont(`its layout tables have more than ${MAX_ENTRIES} entries`);
    return count;
  }
}

/** Throws RenderError when the table (`tag`: GSUB or GPOS) breaks a rule. */
export function checkLayout(data: Uint8Array, tag: 'GSUB' | 'GPOS'): void {
  const lists = new Lists(data);
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
    if (variations !== 0) within(view, variations + 8, 8 * view.getUint32(variations + 4));
  }
}

function checkScripts(lists: Lists, at: number, features: number, tag: string): void {
  const { view } = lists;
  const seen = new Set<number>();
  const checkLanguage = (language: number) => {
    if (seen.has(language)) return;
    seen.add(language);
    const count = lists.count(language + 4, 2);
    for (let i = 0; i < count; i++) {
      const feature = view.getUint16(language + 6 + 2 * i);
      if (feature >= features) throw malformedFont(`its ${tag} table names the feature ${feature} of ${features}`);
    }
  };
  const count = lists.count(at, 6);
  for (let i = 0; i < count; i++) {
    const script = at + view.getUint16(at + 2 + 6 * i + 4);
    const usual = view.getUint16(script);
    if (usual !== 0) checkLanguage(script + usual);
    const languages = lists.count(script + 2, 6);
    for (let j = 0; j < languages; j++) checkLanguage(script + view.getUint16(script + 4 + 6 * j + 4));
  }
}

function checkFeatures(lists: Lists, at: number, lookups: number, tag: string): number {
  const { view } = lists;
  const features = lists.count(at, 6);
  const seen = new Set<number>();
  for (let i = 0; i < features; i++) {
    const feature = at + view.getUint16(at + 2 + 6 * i + 4);
    if (seen.has(feature)) continue;
    seen.add(feature);
    const count = lists.count(feature + 2, 2);
    for (let j = 0; j < count; j++) {
      const lookup = view.getUint16(feature + 4 + 2 * j);
      // 0xFFFF is what some editors write for none
      if (lookup >= lookups && lookup !== 0xffff)
        throw malformedFont(`its ${tag} table names the lookup ${lookup} of ${lookups}`);
    }
  }
  return features;
}

function checkLookups(lists: Lists, at: number, tag: 'GSUB' | 'GPOS'): number {
  const { view } = lists;
  const types = tag === 'GSUB' ? GSUB : GPOS;
  const rules = new LookupBudget(view, tag);
  const seen = new Set<number>();
  let subtables = 0;
  const count = lists.count(at, 2);
  for (let i = 0; i < count; i++) {
    const lookup = at + view.getUint16(at + 2 + 2 * i);
    const type = view.getUint16(lookup);
    if (type === 0 || type > types.last) throw malformedFont(`its ${tag} table has a lookup of type ${type}`);
    const parts = lists.count(lookup + 4, 2);
    subtables += parts;
    if (subtables > MAX_SUBTABLES) throw malformedFont(`its ${tag} table has more than ${MAX_SUBTABLES} subtables`);
    for (let j = 0; j < parts; j++) {
      const subtable = lookup + view.getUint16(lookup + 6 + 2 * j);
      const [at, own] = type === types.extension ? extended(view, subtable, tag) : [subtable, type];
      rules.add(at, own);
      // a subtable that is met again as another type starts at another byte in every font but a hostile one
      if (seen.has(subtable)) continue;
      seen.add(subtable);
      checkSubtable(lists, at, own, tag);
    }
  }
  return count;
}

/** Where the subtable lies that another leads to, and of which type it is. */
function extended(view: DataView, at: number, tag: 'GSUB' | 'GPOS'): [at: number, type: number] {
  const { extension, last } = tag === 'GSUB' ? GSUB : GPOS;
  const type = view.getUint16(at + 2);
  if (type === 0 || type > last || type === extension)
    throw malformedFont(`its ${tag} table extends a lookup of type ${type}`);
  return [at + view.getUint32(at + 4), type];
}

/** The format, the coverage where it is first, and for GSUB's one-to-many substitutions every sequence. */
function checkSubtable(lists: Lists, at: number, type: number, tag: 'GSUB' | 'GPOS'): void {
  const { view } = lists;
  const format = view.getUint16(at);
  const contextual = tag === 'GSUB' ? type === 5 || type === 6 : type === 7 || type === 8;
  if (format === 0 || format > 3) throw malformedFont(`its ${tag} table has a subtable of format ${format}`);
  if (contextual && format === 3) return;
  checkCoverage(view, at + view.getUint16(at + 2));
  if (tag !== 'GSUB' || type !== 2) return;
  const sequences = lists.count(at + 4, 2);
  for (let i = 0; i < sequences; i++) {
    const sequence = at + view.getUint16(at + 6 + 2 * i);
    const length = view.getUint16(sequence);
    within(view, sequence + 2, 2 * length);
    if (length > MAX_SEQUENCE) throw malformedFont(`one glyph becomes ${length}, ${MAX_SEQUENCE} at most`);
  }
}

function checkCoverage(view: DataView, at: number): void {
  const format = view.getUint16(at);
  // one of another format covers nothing: some old fonts have offsets that lead astray
  if (format === 1 || format === 2) within(view, at + 4, view.getUint16(at + 2) * (format === 1 ? 2 : 6));
}

/** GDEF: glyph and mark classes, the sets of marks, all within the table. */
export function checkGlyphClasses(data: Uint8Array): number {
  const lists = new Lists(data);
  const { view } = lists;
  for (const at of [view.getUint16(4), view.getUint16(10)]) if (at !== 0) checkClasses(lists, at);
  for (const at of [view.getUint16(6), view.getUint16(8)]) if (at !== 0) within(view, at, 4);
  const minor = view.getUint16(2);
  const sets = minor >= 2 ? view.getUint16(12) : 0;
  if (sets !== 0) {
    const count = lists.count(sets + 2, 4);
    for (let i = 0; i < count; i++) {
      const set = view.getUint32(sets + 4 + 4 * i);
      if (set !== 0) checkCoverage(view, sets + set);
    }
  }
  return minor >= 3 ? view.getUint32(14) : 0;
}

function checkClasses(lists: Lists, at: number): void {
  const { view } = lists;
  const format = view.getUint16(at);
  if (format === 1) lists.count(at + 4, 2);
  else if (format === 2) lists.count(at + 2, 6);
}
