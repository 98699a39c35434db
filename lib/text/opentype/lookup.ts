// Applies lookups to glyphs: which glyphs a lookup skips, sequences and their context. Follows HarfBuzz where OpenType
// leaves a choice. The kinds of lookups are in gsub.ts and gpos.ts.
import { BASE, componentOf, componentsOf, type Item, isIgnored, LIGATURE, MARK, markUnsafe } from './buffer.js';
import type { Data } from './data.js';
import {
  classOf,
  coverage,
  type GlyphDefinitions,
  type LayoutTable,
  type Lookup,
  NOT_COVERED,
} from './layout-tables.js';

const IGNORE_FLAGS = BASE | LIGATURE | MARK;
const USES_MARK_SET = 0x10;
const MARK_ATTACHMENT = 0xff00;
const ZERO_WIDTH_NON_JOINER = 0x200c;
const ZERO_WIDTH_JOINER = 0x200d;
const GRAPHEME_JOINER = 0x34f;
const MAX_NESTING = 16;
const MAX_CONTEXT = 64;

/** Lookups of nested contexts that one text may run, per glyph and at least. */
const OPERATIONS_PER_ITEM = 1024;
const MIN_OPERATIONS = 16_384;
/** Glyphs that a text may grow to, likewise. */
const GLYPHS_PER_ITEM = 64;
const MIN_GLYPHS = 16_384;

/** Whether a lookup is applied to all items of a stage, and how it treats the joiners. */
export interface LookupUse {
  readonly index: number;
  readonly mask: number;
  readonly ignoresNonJoiner: boolean;
  readonly ignoresJoiner: boolean;
  /** The value of its feature: which of its alternates. */
  readonly value: number;
}

type Matches = (glyph: number, value: number) => boolean;

/** The state while lookups of one table run over a buffer. */
export class LookupRun {
  index = 0;
  flags = 0;
  mask = 1;
  ignoresNonJoiner = true;
  ignoresJoiner = true;
  value = 1;
  /** The last search for a base glyph and its result: marks in a row have the same one. */
  lastBase = -1;
  lastBaseUntil = 0;
  private operations: number;
  private readonly maxItems: number;
  private depth = 0;
  private ligatures = 0;

  constructor(
    readonly items: Item[],
    readonly table: LayoutTable,
    readonly definitions: GlyphDefinitions,
    readonly isPositioning: boolean,
    readonly rightToLeft: boolean,
    /** Applies one lookup at `index`; returns whether it did something. */
    private readonly apply: (run: LookupRun, lookup: Lookup) => boolean,
  ) {
    this.operations = Math.max(MIN_OPERATIONS, items.length * OPERATIONS_PER_ITEM);
    this.maxItems = Math.max(MIN_GLYPHS, items.length * GLYPHS_PER_ITEM);
  }

  get data(): Data {
    return this.table.data;
  }

  get current(): Item {
    return this.items[this.index];
  }

  get isFull(): boolean {
    return this.items.length >= this.maxItems;
  }

  newLigature(): number {
    return ++this.ligatures;
  }

  /** Runs a lookup over all items that its features apply to. */
  run(use: LookupUse, isBackward: boolean): void {
    const lookup = this.table.lookup(use.index);
    if (!lookup || lookup.subtables.length === 0) return;
    const { items } = this;
    this.mask = use.mask;
    this.ignoresNonJoiner = use.ignoresNonJoiner;
    this.ignoresJoiner = use.ignoresJoiner;
    this.value = use.value;
    this.flags = lookup.flags;
    this.lastBase = -1;
    this.lastBaseUntil = 0;
    const isApplicable = () => (this.current.mask & use.mask) !== 0 && this.has(this.current, lookup.flags);
    if (isBackward) {
      for (this.index = items.length - 1; this.index >= 0; this.index--) if (isApplicable()) this.apply(this, lookup);
      return;
    }
    for (this.index = 0; this.index < items.length; ) {
      if (!isApplicable() || !this.apply(this, lookup)) this.index++;
    }
  }

  /** Applies a lookup that a context names, at `index`. */
  private recurse(index: number): boolean {
    const lookup = this.table.lookup(index);
    if (!lookup || this.depth >= MAX_NESTING || this.operations-- < 0) return false;
    const { flags } = this;
    this.flags = lookup.flags;
    this.depth++;
    const isApplied = this.apply(this, lookup);
    this.depth--;
    this.flags = flags;
    return isApplied;
  }

  /** Whether the lookup flags do not skip the item. */
  private has({ glyph, props }: Item, flags: number): boolean {
    if ((props & flags & IGNORE_FLAGS) !== 0) return false;
    if ((props & MARK) === 0) return true;
    if (flags & USES_MARK_SET) return this.definitions.isInMarkSet(Math.floor(flags / 65_536), glyph);
    const attachment = flags & MARK_ATTACHMENT;
    return attachment === 0 || attachment === (props & MARK_ATTACHMENT);
  }

  /** Whether an item is skipped: always, if it doesn't match, or never. */
  skips(item: Item, isContext: boolean, flags = this.flags): 'yes' | 'maybe' | 'no' {
    if (!this.has(item, flags)) return 'yes';
    if (!isIgnored(item)) return 'no';
    const { codePoint } = item;
    if (codePoint === ZERO_WIDTH_NON_JOINER) {
      return this.isPositioning || (isContext && this.ignoresNonJoiner) ? 'maybe' : 'no';
    }
    if (codePoint === ZERO_WIDTH_JOINER) return isContext || this.ignoresJoiner ? 'maybe' : 'no';
    if (isHidden(codePoint)) return this.isPositioning ? 'maybe' : 'no';
    return 'maybe';
  }

  /** The next item after (or before) `from` that is not skipped; undefined if there is none or it does not match. */
  next(
    from: number,
    step: 1 | -1,
    isContext: boolean,
    matches?: (glyph: number) => boolean,
    flags = this.flags,
  ): number | undefined {
    const { items } = this;
    for (let i = from + step; i >= 0 && i < items.length; i += step) {
      const item = items[i];
      const skips = this.skips(item, isContext, flags);
      if (skips === 'yes') continue;
      const isOfFeature = isContext || (item.mask & this.mask) !== 0;
      if (isOfFeature && matches?.(item.glyph)) return i;
      if (isOfFeature && !matches && skips === 'no') return i;
      if (skips === 'no') return undefined;
    }
    return undefined;
  }

  /**
   * The places of a sequence that begins at `index`: the current item, then `count` - 1 more. Checks that marks belong to
   * the components of one ligature.
   */
  matchInput(
    count: number,
    valueAt: (i: number) => number,
    matches: Matches,
    isContext: boolean,
  ): { places: number[]; components: number } | undefined {
    if (count > MAX_CONTEXT || count === 0) return undefined;
    const { items } = this;
    const first = items[this.index];
    const [ligature, component] = [first.ligature, componentOf(first)];
    const places = [this.index];
    let components = componentsOf(first);
    let canSkipBase: boolean | undefined;
    for (let i = 1; i < count; i++) {
      const value = valueAt(i);
      const place = this.next(places[i - 1], 1, isContext, (glyph) => matches(glyph, value));
      if (place === undefined) return undefined;
      const item = items[place];
      if (ligature > 0 && component > 0) {
        if (item.ligature !== ligature || componentOf(item) !== component) {
          canSkipBase ??= this.canSkipLigature(ligature, isContext);
          if (!canSkipBase) return undefined;
        }
      } else if (item.ligature > 0 && componentOf(item) > 0 && item.ligature !== ligature) return undefined;
      components += componentsOf(item);
      places.push(place);
    }
    return { places, components };
  }

  private canSkipLigature(ligature: number, isContext: boolean): boolean {
    for (let i = this.index - 1; i >= 0 && this.items[i].ligature === ligature; i--) {
      if (componentOf(this.items[i]) === 0) return this.skips(this.items[i], isContext) === 'yes';
    }
    return false;
  }

  /** The place of the last of `count` items before (or after) `from`; undefined if they do not match. */
  private matchBeside(
    from: number,
    step: 1 | -1,
    count: number,
    valueAt: (i: number) => number,
    matches: Matches,
  ): number | undefined {
    let place = from;
    for (let i = 0; i < count; i++) {
      const value = valueAt(i);
      const next = this.next(place, step, true, (glyph) => matches(glyph, value));
      if (next === undefined) return undefined;
      place = next;
    }
    return place;
  }

  /** Applies a subtable of a context lookup; `isChained` for those with glyphs before and after. */
  applyContext(at: number, isChained: boolean): boolean {
    const { data, current } = this;
    const format = data.u16(at);
    if (format === 3) return this.applyCoverageContext(at, isChained);
    const index = coverage(data, at + data.u16(at + 2), current.glyph);
    if (index === NOT_COVERED || (format !== 1 && format !== 2)) return false;
    const isEqual: Matches = (glyph, value) => glyph === value;
    const inClass = (offset: number): Matches => {
      const definition = at + data.u16(at + offset);
      return (glyph, value) => classOf(data, definition, glyph) === value;
    };
    const [before, input, after] =
      format === 1
        ? [isEqual, isEqual, isEqual]
        : isChained
          ? [inClass(4), inClass(6), inClass(8)]
          : [isEqual, inClass(4), isEqual];
    const sets = at + (format === 1 ? 4 : isChained ? 10 : 6);
    const which = format === 1 ? index : classOf(data, at + data.u16(at + (isChained ? 6 : 4)), current.glyph);
    if (which >= data.u16(sets) || data.u16(sets + 2 + 2 * which) === 0) return false;
    const set = at + data.u16(sets + 2 + 2 * which);
    for (let i = 0; i < data.u16(set); i++) {
      const rule = set + data.u16(set + 2 + 2 * i);
      if (this.applyRule(rule, isChained, before, input, after)) return true;
    }
    return false;
  }

  private applyRule(rule: number, isChained: boolean, before: Matches, input: Matches, after: Matches): boolean {
    const { data } = this;
    const list = (from: number) => (i: number) => data.u16(from + 2 * i);
    if (!isChained) {
      const count = data.u16(rule);
      const records = rule + 4 + 2 * (count - 1);
      return this.applyMatch(
        0,
        list(0),
        before,
        count,
        list(rule + 2),
        input,
        0,
        list(0),
        after,
        records,
        data.u16(rule + 2),
      );
    }
    const backtrack = data.u16(rule);
    const inputs = rule + 2 + 2 * backtrack;
    const count = data.u16(inputs);
    const ahead = inputs + 2 + 2 * (count - 1);
    const lookahead = data.u16(ahead);
    const records = ahead + 2 + 2 * lookahead;
    return this.applyMatch(
      backtrack,
      list(rule + 2),
      before,
      count,
      list(inputs),
      input,
      lookahead,
      list(ahead + 2),
      after,
      records + 2,
      data.u16(records),
    );
  }

  private applyCoverageContext(at: number, isChained: boolean): boolean {
    const { data } = this;
    const covers: Matches = (glyph, offset) => coverage(data, at + offset, glyph) !== NOT_COVERED;
    const list = (from: number) => (i: number) => data.u16(from + 2 * i);
    const backtrack = isChained ? data.u16(at + 2) : 0;
    const inputs = at + 2 + (isChained ? 2 + 2 * backtrack : 0);
    const count = data.u16(inputs);
    // without glyphs before and after, the number of records precedes the coverages
    const first = inputs + (isChained ? 2 : 4);
    if (!covers(this.current.glyph, data.u16(first))) return false;
    const ahead = first + 2 * count;
    const lookahead = isChained ? data.u16(ahead) : 0;
    const end = isChained ? ahead + 2 + 2 * lookahead : ahead;
    return this.applyMatch(
      backtrack,
      list(at + 4),
      covers,
      count,
      list(first),
      covers,
      lookahead,
      list(ahead + 2),
      covers,
      isChained ? end + 2 : end,
      isChained ? data.u16(end) : data.u16(inputs + 2),
    );
  }

  /** Matches a sequence with its surroundings and applies the lookups that `records` name. */
  private applyMatch(
    backtrack: number,
    backtrackAt: (i: number) => number,
    before: Matches,
    count: number,
    inputAt: (i: number) => number,
    input: Matches,
    lookahead: number,
    lookaheadAt: (i: number) => number,
    after: Matches,
    records: number,
    recordCount: number,
  ): boolean {
    const match = this.matchInput(count, inputAt, input, true);
    if (!match) return false;
    const last = match.places[match.places.length - 1];
    const end = this.matchBeside(last, 1, lookahead, lookaheadAt, after);
    if (end === undefined) return false;
    const start = this.matchBeside(this.index, -1, backtrack, backtrackAt, before);
    if (start === undefined) return false;
    markUnsafe(this.items, start, end + 1);
    this.applyRecords(match.places, last + 1, records, recordCount);
    return true;
  }

  /** Applies the lookups at their places; each may add or remove glyphs, which moves the places behind it. */
  private applyRecords(places: number[], matchEnd: number, records: number, count: number): void {
    const { data, items } = this;
    let end = matchEnd;
    for (let i = 0; i < count; i++) {
      const sequence = data.u16(records + 4 * i);
      if (sequence >= places.length || places[sequence] >= items.length) continue;
      const length = items.length;
      this.index = places[sequence];
      if (!this.recurse(data.u16(records + 4 * i + 2))) continue;
      let delta = items.length - length;
      if (delta === 0) continue;
      end += delta;
      if (end < places[sequence]) {
        delta += places[sequence] - end;
        end = places[sequence];
      }
      let next = sequence + 1;
      if (delta > 0) {
        if (delta + places.length > MAX_CONTEXT) break;
        places.splice(next, 0, ...new Array<number>(delta).fill(0));
      } else {
        delta = Math.max(delta, next - places.length);
        places.splice(next, -delta);
      }
      if (delta > 0) next += delta;
      for (let j = sequence + 1; j < next; j++) places[j] = places[j - 1] + 1;
      for (; next < places.length; next++) places[next] += delta;
    }
    this.index = end;
  }
}

/** Hidden from substitution too: the grapheme joiner, Mongolian selectors and tags. */
function isHidden(codePoint: number): boolean {
  return (
    codePoint === GRAPHEME_JOINER ||
    (codePoint >= 0x180b && codePoint <= 0x180d) ||
    codePoint === 0x180f ||
    (codePoint >= 0xe0020 && codePoint <= 0xe007f)
  );
}
