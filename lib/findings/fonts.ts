// The number of families that a design asks for.
import { parseFamilyList } from '../contract/css/font-family.js';
import type { TextLayer } from '../contract/layers/index.js';
import { lowercase } from '../unicode/case-mapping.js';
import { type Change, pointerOf, setting } from './fixes/changes.js';
import type { Item } from './items.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

const MAX_FAMILIES = 3;

/** A place that names a family. */
interface Asked {
  readonly item: Item;
  /** `fontFamily`, `spans[1].fontFamily`. */
  readonly field: string;
  readonly family: string;
  readonly letters: number;
}

export function findFonts({ items }: RuleContext): MeasuredFinding[] {
  const asked = items.all.filter(({ isHidden }) => !isHidden).flatMap(familiesOf);
  const letters = new Map<string, number>();
  for (const each of asked) letters.set(each.family, (letters.get(each.family) ?? 0) + each.letters);
  if (letters.size <= MAX_FAMILIES) return [];
  const families = [...letters.keys()];
  const first = asked.find(({ family }) => family === families[MAX_FAMILIES])!;
  return [
    {
      code: 'many_fonts',
      severity: 'info',
      path: first.item.path,
      message: `the design asks for ${families.length} families: ${families.map((name) => JSON.stringify(name)).join(', ')}`,
      value: families.length,
      limit: MAX_FAMILIES,
      changes: fewer(asked, letters),
    },
  ];
}

function familiesOf(item: Item): Asked[] {
  const { layer } = item;
  if (layer.type === 'barcode') return layer.showText ? [place(item, 'fontFamily', layer.fontFamily, layer.data)] : [];
  if (layer.type !== 'text') return [];
  const markup = Object.entries(layer.markupStyles ?? {}).flatMap(([marker, style]) =>
    style?.fontFamily === undefined ? [] : [place(item, `markupStyles.${marker}.fontFamily`, style.fontFamily, '')],
  );
  return [...spansOf(item, layer), ...markup];
}

function spansOf(item: Item, { fontFamily, text, spans }: TextLayer): Asked[] {
  if (!spans) return [place(item, 'fontFamily', fontFamily, text)];
  return spans.map((span, i) =>
    span.fontFamily === undefined
      ? place(item, 'fontFamily', fontFamily, span.text)
      : place(item, `spans[${i}].fontFamily`, span.fontFamily, span.text),
  );
}

/** The first of a list of families is asked for; the others stand in for it. The scripts of Noto are one family. */
function place(item: Item, field: string, list: string, text: string): Asked {
  const first = parseFamilyList(list)[0]?.name ?? list;
  const name = /^Noto (?:Sans|Serif)(?= )/.exec(first)?.[0] ?? first;
  return { item, field, family: name, letters: text.length };
}

/** Changes that leave three families: those with the most letters, in place of the others one of them. */
function fewer(asked: readonly Asked[], letters: ReadonlyMap<string, number>): Change[] {
  const ranked = [...letters].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const keeps = [ranked.slice(0, MAX_FAMILIES), [...letters.keys()].slice(0, MAX_FAMILIES)];
  return keeps.flatMap((kept) =>
    [...kept, ''].flatMap((name, turn) => {
      const operations = new Map<string, Change[number]>();
      let next = turn;
      for (const { item, field, family } of asked) {
        if (kept.some((each) => lowercase(each) === lowercase(family))) continue;
        if (pointerOf(item) === undefined) return [];
        const value = name === '' ? kept[next++ % kept.length] : name;
        for (const operation of setting(item, { [field]: value }).flat()) operations.set(operation.path, operation);
      }
      return [[...operations.values()]];
    }),
  );
}
