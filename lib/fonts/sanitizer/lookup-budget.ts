// Bounds the shaping cost per glyph of the rules in one GSUB or GPOS table. Ligature and context rules are grouped in sets, one
// per first glyph or class. A shaper tries all rules of a set and compares the surrounding glyphs as far as each rule matches.
// Sets and rules may share bytes, so the table's length does not bound the cost.
import { assertInside, malformedFont } from './errors.js';

/** Glyph comparisons at one text position by all rules of a table; at most 22,398 in the tested fonts. */
const MAX_COMPARISONS = 65_536;
/** Rules that this check may read, in addition to one per byte of the table. */
const BASE_RULES_READ = 1 << 22;

type RuleKind = 'ligature' | 'context' | 'chained' | 'reverse';

/** Kinds of rule subtables by lookup type; GSUB and GPOS number them differently. */
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

/** Totals the cost of one table's subtables. */
export class LookupBudget {
  private comparisons = 0;
  private rulesLeft: number;
  /** Costs of subtables read so far: a shared subtable counts each time but is read once. */
  private readonly costs = new Map<string, number>();

  constructor(
    private readonly view: DataView,
    private readonly tag: 'GSUB' | 'GPOS',
  ) {
    this.rulesLeft = BASE_RULES_READ + view.byteLength;
  }

  /**
   * Adds the cost of the subtable at `at` with the lookup type `type`. Throws RenderError if the table's total is too high, and
   * RangeError if a list of sets is outside the table; sets and rules outside it are skipped, as shapers do.
   */
  add(at: number, type: number): void {
    const kind = KINDS[this.tag].get(type);
    if (kind === undefined) return;
    const key = `${kind} ${at}`;
    const cost = this.costs.get(key) ?? this.subtableCost(at, kind);
    this.costs.set(key, cost);
    this.comparisons += cost;
    if (this.comparisons > MAX_COMPARISONS) throw this.tooExpensive();
  }

  /** The comparisons at one text position: those of the subtable's most expensive set. */
  private subtableCost(at: number, kind: RuleKind): number {
    const { view } = this;
    if (kind === 'reverse') return 1 + totalListLength(view, at + 4, 2);
    const format = view.getUint16(at);
    if (format === 3) return kind === 'chained' ? totalListLength(view, at + 2, 3) : view.getUint16(at + 2);
    const sets = at + (format === 1 ? 4 : kind === 'chained' ? 10 : 6);
    const count = view.getUint16(sets);
    assertInside(view, sets + 2, 2 * count);
    const seen = new Set<number>();
    let max = 0;
    for (let i = 0; i < count; i++) {
      const offset = view.getUint16(sets + 2 + 2 * i);
      if (offset === 0 || seen.has(offset)) continue;
      seen.add(offset);
      max = Math.max(max, this.setCost(at + offset, kind));
    }
    return max;
  }

  private setCost(set: number, kind: RuleKind): number {
    const { view } = this;
    if (set + 2 > view.byteLength) return 0;
    const rules = view.getUint16(set);
    if (set + 2 + 2 * rules > view.byteLength) return 0;
    this.rulesLeft -= 1 + rules;
    if (this.rulesLeft < 0) throw this.tooExpensive();
    let cost = 0;
    for (let i = 0; i < rules; i++) {
      const rule = set + view.getUint16(set + 2 + 2 * i);
      if (rule + 4 > view.byteLength) continue;
      cost += kind === 'chained' ? chainLength(view, rule) : view.getUint16(kind === 'ligature' ? rule + 2 : rule);
    }
    return cost;
  }

  private tooExpensive(): Error {
    return malformedFont(
      `the rules of its ${this.tag} table compare each glyph with more than ${MAX_COMPARISONS} others`,
    );
  }
}

/** Glyphs of a chained rule: backtrack, input and lookahead. Its input list omits the first glyph. */
function chainLength(view: DataView, rule: number): number {
  const backtrack = view.getUint16(rule);
  const inputAt = rule + 2 + 2 * backtrack;
  if (inputAt + 2 > view.byteLength) return 0;
  const length = view.getUint16(inputAt);
  const lookaheadAt = inputAt + 2 * length;
  return lookaheadAt + 2 > view.byteLength ? 0 : backtrack + length + view.getUint16(lookaheadAt);
}

/** The total length of `lists` consecutive lists of 16-bit numbers. */
function totalListLength(view: DataView, at: number, lists: number): number {
  let sum = 0;
  for (let i = 0, list = at; i < lists && list + 2 <= view.byteLength; i++) {
    const length = view.getUint16(list);
    sum += length;
    list += 2 + 2 * length;
  }
  return sum;
}
