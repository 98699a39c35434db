// What the rules of one GSUB or GPOS subtable cost a glyph: ligatures and contexts come in sets, a set for each first glyph
// or class, and a reader goes through all of a set's rules, and through the glyphs around as far as each of them matches.
// Sets, and rules within them, may share their bytes: the table's length bounds none of this.
import { malformedFont, within } from './errors.js';

/** Glyphs that a text may be compared with at each of its places, by all rules of a table: 22,398 in the fonts tried. */
const MAX_COMPARED = 65_536;
/** Rules read in all to find that out, besides one for each byte of the table. */
const READ_FREELY = 1 << 22;

type RuleKind = 'ligature' | 'context' | 'chained' | 'reverse';

/** What the subtables that hold rules are, by lookup type; GSUB and GPOS number them differently. */
const KINDS: Readonly<Record<'GSUB' | 'GPOS', ReadonlyMap<number, RuleKind>>> = {
  GSUB: new Map([
    [4, 'ligature'],
    [5, 'context'],
    [6, 'chained'],
    [8, 'reverse'],
  ]),
  GPOS: new Map([
    [7, 'context'],
    [8, 'chained'],
  ]),
};

/** Adds up what the subtables of one table cost. */
export class LookupBudget {
  private compared = 0;
  private budget: number;
  /** Subtables that are named again cost again, but are read once. */
  private readonly known = new Map<string, number>();

  constructor(
    private readonly view: DataView,
    private readonly tag: 'GSUB' | 'GPOS',
  ) {
    this.budget = READ_FREELY + view.byteLength;
  }

  /**
   * Adds the subtable at `at`, whose lookup is of `type`. Throws RenderError when the table's become too many, RangeError
   * where a list of sets lies outside; a set or rule that does is passed over, as by readers.
   */
  add(at: number, type: number): void {
    const kind = KINDS[this.tag].get(type);
    if (kind === undefined) return;
    const key = `${kind} ${at}`;
    const cost = this.known.get(key) ?? this.costOf(at, kind);
    this.known.set(key, cost);
    this.compared += cost;
    if (this.compared > MAX_COMPARED) throw this.tooMany();
  }

  /** The most glyphs that it is compared with at one place of a text: its costliest set's. */
  private costOf(at: number, kind: RuleKind): number {
    const { view } = this;
    if (kind === 'reverse') return 1 + runsOf(view, at + 4, 2);
    const format = view.getUint16(at);
    if (format === 3) return kind === 'chained' ? runsOf(view, at + 2, 3) : view.getUint16(at + 2);
    const sets = at + (format === 1 ? 4 : kind === 'chained' ? 10 : 6);
    const count = view.getUint16(sets);
    within(view, sets + 2, 2 * count);
    const seen = new Set<number>();
    let most = 0;
    for (let i = 0; i < count; i++) {
      const offset = view.getUint16(sets + 2 + 2 * i);
      if (offset === 0 || seen.has(offset)) continue;
      seen.add(offset);
      most = Math.max(most, this.costOfSet(at + offset, kind));
    }
    return most;
  }

  private costOfSet(set: number, kind: RuleKind): number {
    const { view } = this;
    if (set + 2 > view.byteLength) return 0;
    const rules = view.getUint16(set);
    if (set + 2 + 2 * rules > view.byteLength) return 0;
    this.budget -= 1 + rules;
    if (this.budget < 0) throw this.tooMany();
    let cost = 0;
    for (let i = 0; i < rules; i++) {
      const rule = set + view.getUint16(set + 2 + 2 * i);
      if (rule + 4 > view.byteLength) continue;
      cost += kind === 'chained' ? chainLength(view, rule) : view.getUint16(kind === 'ligature' ? rule + 2 : rule);
    }
    return cost;
  }

  private tooMany(): Error {
    return malformedFont(`the rules of its ${this.tag} table compare each glyph with more than ${MAX_COMPARED} others`);
  }
}

/** Glyphs before, of, and after the place; the first of its own is not named again. */
function chainLength(view: DataView, rule: number): number {
  const before = view.getUint16(rule);
  const own = rule + 2 + 2 * before;
  if (own + 2 > view.byteLength) return 0;
  const length = view.getUint16(own);
  const after = own + 2 * length;
  return after + 2 > view.byteLength ? 0 : before + length + view.getUint16(after);
}

/** The sum of the lengths of so many lists of 16-bit numbers that follow each other. */
function runsOf(view: DataView, at: number, lists: number): number {
  let sum = 0;
  for (let i = 0, list = at; i < lists && list + 2 <= view.byteLength; i++) {
    const length = view.getUint16(list);
    sum += length;
    list += 2 + 2 * length;
  }
  return sum;
}
