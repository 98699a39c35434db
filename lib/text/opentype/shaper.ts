// Shapes text: from characters to placed glyphs, in the steps and the order of HarfBuzz.
import { getMirroredCharacter } from '../bidi.js';
import { LIGATURE_FEATURES, type ShapeOptions } from '../text-engine.js';
import { BASE, type Item, isIgnored, LIGATED, MARK } from './buffer.js';
import { isDecimal, itemsOf, mapCharacters, SPACES } from './characters.js';
import type { CharacterMap } from './cmap.js';
import type { Data } from './data.js';
import { GPOS_EXTENSION, position, resolveAttachments } from './gpos.js';
import { GSUB_EXTENSION, REVERSE_CHAIN, removeItem, substitute } from './gsub.js';
import { type GlyphDefinitions, type LayoutTable, readDefinitions, readLayout } from './layout-tables.js';
import { LookupRun, type LookupUse } from './lookup.js';
import type { Metrics } from './metrics.js';
import {
  ARABIC_FORMS,
  arabicForms,
  composeSyllables,
  type FeatureUse,
  featureStages,
  isRightToLeftScript,
  reorderArabicMarks,
  scriptTags,
  splitSaraAm,
} from './scripts.js';

const ALL = 1;
/** The bits of features that apply to some items only. */
const SELECTIVE = ['frac', 'numr', 'dnom', 'rtlm', ...ARABIC_FORMS, 'ljmo', 'vjmo', 'tjmo'];
const bitOf = (tag: string) => 2 << SELECTIVE.indexOf(tag);
const FRACTION_SLASH = 0x2044;
const SPACE = 0x20;

/** The parts of the font that a script and direction need. */
interface Plan {
  readonly gsub: LayoutTable | undefined;
  readonly gpos: LayoutTable | undefined;
  readonly substitutions: readonly (readonly LookupUse[])[];
  readonly positions: readonly LookupUse[];
  readonly hasFractions: boolean;
}

type PlanOptions = Pick<ShapeOptions, 'rightToLeft' | 'ligatures' | 'features'>;

const MAX_PLANS = 256;

export class Shaper {
  private readonly plans = new Map<string, Plan>();
  private readonly definitions: GlyphDefinitions;

  constructor(
    private readonly tables: ReadonlyMap<string, Data>,
    private readonly map: CharacterMap,
    private readonly metrics: Metrics,
    private readonly positions: readonly number[],
  ) {
    this.definitions = readDefinitions(tables.get('GDEF'), positions);
  }

  /** Whether the font substitutes the joining forms of Arabic. */
  get joinsArabic(): boolean {
    const { gsub } = this.plan('Arab', { rightToLeft: true, ligatures: true });
    return gsub?.script === 'arab' && gsub.features.has('init') && gsub.features.has('fina');
  }

  /** The items of [start, end), from left to right. */
  shape(text: string, start: number, end: number, options: ShapeOptions): Item[] {
    const { script } = options;
    let items = itemsOf(text, start, end);
    const isNative = options.rightToLeft === isNativeRightToLeft(script, items);
    const rightToLeft = isNative ? options.rightToLeft : !options.rightToLeft;
    if (!isNative) items = reverseClusters(items);
    const plan = this.plan(script, options);
    if (script === 'Thai' || script === 'Laoo') items = splitSaraAm(items);
    for (const item of items) item.mask = ALL;
    if (options.rightToLeft) this.mirror(items);
    if (script === 'Hang') items = composeSyllables(items, this.map, (tag) => bitOf(tag));
    items = mapCharacters(items, this.map, script === 'Arab' ? reorderArabicMarks : undefined);
    if (script === 'Arab') {
      arabicForms(items, text, start, end).forEach((form, i) => {
        if (form) items[i].mask |= bitOf(form);
      });
    }
    if (plan.hasFractions) markFractions(items, rightToLeft);
    for (const item of items) item.props = this.propsOf(item);
    this.substitute(items, plan, rightToLeft);
    this.position(items, plan, rightToLeft, script !== 'Hang');
    this.hideIgnorables(items);
    shareUnsafety(items);
    return rightToLeft ? items.reverse() : items;
  }

  private propsOf(item: Item): number {
    if (this.definitions.hasClasses) return this.definitions.props(item.glyph);
    return item.isNonspacing && !item.isIgnorable ? MARK : BASE;
  }

  /** Brackets take their mirrored character if the font has it, else perhaps a mirrored glyph. */
  private mirror(items: readonly Item[]): void {
    for (const item of items) {
      const mirrored = getMirroredCharacter(String.fromCodePoint(item.codePoint))?.codePointAt(0);
      if (mirrored !== undefined && this.map.glyph(mirrored) > 0) item.codePoint = mirrored;
      else item.mask |= bitOf('rtlm');
    }
  }

  private plan(script: string | undefined, options: PlanOptions): Plan {
    const { rightToLeft, ligatures, features } = options;
    const key = `${script} ${rightToLeft} ${ligatures} ${features ? JSON.stringify(features) : ''}`;
    let plan = this.plans.get(key);
    if (!plan) {
      plan = this.createPlan(script, options);
      // features are user input
      if (this.plans.size >= MAX_PLANS) this.plans.clear();
      this.plans.set(key, plan);
    }
    return plan;
  }

  private createPlan(script: string | undefined, { rightToLeft, ligatures, features = {} }: PlanOptions): Plan {
    const scripts = scriptTags(script);
    const [substitutionData, positionData] = [this.tables.get('GSUB'), this.tables.get('GPOS')];
    const gsub = substitutionData && readLayout(substitutionData, GSUB_EXTENSION, scripts, this.positions);
    let gpos = positionData && readLayout(positionData, GPOS_EXTENSION, scripts, this.positions);
    // fonts that do not place Hebrew points by themselves place them wrong
    if (script === 'Hebr' && gpos?.script !== 'hebr') gpos = undefined;
    const disabled: readonly string[] = ligatures ? [] : LIGATURE_FEATURES;
    const isSet = (tag: string) => Object.hasOwn(features, tag);
    const usual = featureStages(script, rightToLeft);
    const staged = new Set(usual.flat().map(({ tag }) => tag));
    // features that are set apply to the whole text, in their usual stage or else in the last
    const stages = usual.map((stage) =>
      stage
        .filter(({ tag }) => (isSet(tag) ? features[tag] > 0 : !disabled.includes(tag)))
        .map((use) => (isSet(use.tag) ? { ...use, isSelective: false, value: features[use.tag] } : use)),
    );
    for (const [tag, value] of Object.entries(features)) {
      if (value > 0 && !staged.has(tag)) stages.at(-1)!.push({ tag, value });
    }
    const hasFeature = (tag: string) => gsub?.features.has(tag) ?? false;
    return {
      gsub,
      gpos,
      substitutions: gsub ? stages.map((stage, i) => lookupUses(gsub, stage, i === 0)) : [],
      positions: gpos ? lookupUses(gpos, stages.flat(), true) : [],
      hasFractions: hasFeature('frac') || (hasFeature('numr') && hasFeature('dnom')),
    };
  }

  private substitute(items: Item[], { gsub, substitutions }: Plan, rightToLeft: boolean): void {
    if (!gsub) return;
    const run = new LookupRun(items, gsub, this.definitions, false, rightToLeft, substitute);
    for (const stage of substitutions) {
      for (const use of stage) run.run(use, gsub.lookup(use.index)?.type === REVERSE_CHAIN);
    }
  }

  private position(items: Item[], { gpos, positions }: Plan, rightToLeft: boolean, zeroesMarks: boolean): void {
    for (const item of items) item.advance = this.metrics.advance(item.glyph);
    this.setSpaces(items);
    if (gpos) {
      const run = new LookupRun(items, gpos, this.definitions, true, rightToLeft, position);
      for (const use of positions) run.run(use, false);
    }
    for (const item of items) {
      if (!zeroesMarks || (item.props & MARK) === 0) continue;
      // without a table that places marks, they stay over what precedes them
      if (!gpos && !rightToLeft) item.offsetX -= item.advance;
      item.advance = 0;
    }
    for (const item of items) if (isIgnored(item)) item.advance = item.offsetX = item.offsetY = 0;
    resolveAttachments(items, rightToLeft);
  }

  /** The widths of spaces that the font lacks. */
  private setSpaces(items: readonly Item[]): void {
    const { unitsPerEm } = this.metrics;
    for (const item of items) {
      const width = SPACES.get(item.space);
      if (width === undefined || (item.props & LIGATED) !== 0) continue;
      const advanceOf = (characters: string) => {
        const glyph = [...characters].map((character) => this.map.glyph(character.charCodeAt(0))).find((id) => id > 0);
        return glyph === undefined ? item.advance : this.metrics.advance(glyph);
      };
      if (typeof width === 'number') item.advance = Math.floor((unitsPerEm + (width >> 1)) / width);
      else if (width === 'mathematical') item.advance = Math.floor((unitsPerEm * 4) / 18);
      else if (width === 'digit') item.advance = advanceOf('0123456789');
      else if (width === 'period') item.advance = advanceOf('.,');
      else if (width === 'narrow') item.advance = Math.floor(item.advance / 2);
    }
  }

  /** Replaces default-ignorable characters by spaces without width. */
  private hideIgnorables(items: Item[]): void {
    const space = this.map.glyph(SPACE);
    for (let i = items.length - 1; i >= 0; i--) {
      if (!isIgnored(items[i])) continue;
      if (space > 0) items[i].glyph = space;
      else removeItem({ items }, i);
    }
  }
}

/** The lookups of a stage's features, each once, in the font's order. */
function lookupUses(table: LayoutTable, stage: readonly FeatureUse[], addsRequired: boolean): LookupUse[] {
  const uses = new Map<number, LookupUse>();
  const add = (index: number, mask: number, ignoresJoiners: boolean, value = 1) => {
    const other = uses.get(index);
    uses.set(index, {
      index,
      mask: mask | (other?.mask ?? 0),
      ignoresNonJoiner: other?.ignoresNonJoiner ?? true,
      ignoresJoiner: ignoresJoiners && (other?.ignoresJoiner ?? true),
      value: Math.max(value, other?.value ?? 1),
    });
  };
  if (addsRequired) for (const index of table.required) add(index, ALL, true);
  for (const { tag, isSelective, keepsJoiners, value } of stage) {
    for (const index of table.features.get(tag) ?? []) add(index, isSelective ? bitOf(tag) : ALL, !keepsJoiners, value);
  }
  return [...uses.values()].sort((a, b) => a.index - b.index);
}

/** The direction of the script, except for numbers, which run from left to right in every script. */
function isNativeRightToLeft(script: string | undefined, items: readonly Item[]): boolean {
  if (!isRightToLeftScript(script)) return false;
  const hasNumber = items.some(({ codePoint }) => isDecimal(codePoint));
  const hasLetter = items.some(({ codePoint, isMark }) => !isMark && !isDecimal(codePoint) && isLetter(codePoint));
  return !hasNumber || hasLetter;
}

/** Letters of right-to-left scripts, and Latin ones. */
function isLetter(codePoint: number): boolean {
  return (
    (codePoint >= 0x5d0 && codePoint <= 0x8ff && codePoint !== 0x60c && codePoint !== 0x61b && codePoint !== 0x61f) ||
    (codePoint >= 0xfb1d && codePoint <= 0xfefc) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    (codePoint >= 0x61 && codePoint <= 0x7a)
  );
}

/** The items in reverse order, those of a cluster in their own. */
function reverseClusters(items: readonly Item[]): Item[] {
  const reversed: Item[] = [];
  for (let end = items.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && items[start].continues) start--;
    reversed.push(...items.slice(start, end));
    end = start;
  }
  return reversed;
}

/** Digits before a fraction slash are numerators, those after it denominators. */
function markFractions(items: readonly Item[], rightToLeft: boolean): void {
  const [frac, numerator, denominator] = ['frac', 'numr', 'dnom'].map(bitOf);
  const [before, after] = rightToLeft ? [denominator, numerator] : [numerator, denominator];
  for (let i = 0; i < items.length; i++) {
    if (items[i].codePoint !== FRACTION_SLASH) continue;
    let start = i;
    while (start > 0 && isDecimal(items[start - 1].codePoint)) items[--start].mask |= frac | before;
    items[i].mask |= frac;
    let end = i + 1;
    for (; end < items.length && isDecimal(items[end].codePoint); end++) items[end].mask |= frac | after;
    if (start === i || end === i + 1) continue;
    for (let k = start; k < end; k++) if (items[k].cluster !== items[start].cluster) items[k].unsafeToBreak = true;
    i = end - 1;
  }
}

/** Marks all items of a cluster as unsafe to break if one of them is. */
function shareUnsafety(items: readonly Item[]): void {
  for (let start = 0; start < items.length; ) {
    let end = start + 1;
    while (end < items.length && items[end].cluster === items[start].cluster) end++;
    const cluster = items.slice(start, end);
    if (cluster.some(({ unsafeToBreak }) => unsafeToBreak)) for (const item of cluster) item.unsafeToBreak = true;
    start = end;
  }
}
