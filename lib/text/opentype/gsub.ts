// Glyph substitution (OpenType 1.9 "GSUB").
import {
  BASE,
  componentOf,
  componentsOf,
  type Item,
  isMarkGlyph,
  LIGATED,
  LIGATURE,
  MARK,
  MULTIPLIED,
  markUnsafe,
  mergeClusters,
  SUBSTITUTED,
} from './buffer.js';
import { coverage, type Lookup, NOT_COVERED } from './layout-tables.js';
import type { LookupRun } from './lookup.js';

export const GSUB_EXTENSION = 7;
export const REVERSE_CHAIN = 8;

export function substitute(run: LookupRun, { type, subtables }: Lookup): boolean {
  for (const at of subtables) if (substituteWith(run, type, at)) return true;
  return false;
}

function substituteWith(run: LookupRun, type: number, at: number): boolean {
  switch (type) {
    case 1:
      return single(run, at);
    case 2:
      return multiple(run, at);
    case 3:
      return alternate(run, at);
    case 4:
      return ligate(run, at);
    case 5:
      return run.applyContext(at, false);
    case 6:
      return run.applyContext(at, true);
    case REVERSE_CHAIN:
      return reverse(run, at);
  }
  return false;
}

/** Replaces the item's glyph. `kind` is its class if GDEF does not tell; undefined keeps the old one. */
function replace(run: LookupRun, item: Item, glyph: number, kind: number | undefined, history = 0): void {
  const { definitions } = run;
  const past = (item.props & (SUBSTITUTED | LIGATED | MULTIPLIED)) | SUBSTITUTED | history;
  // a ligature in its own right forgets that it was one of several
  const kept = (history & LIGATED) !== 0 ? past & ~MULTIPLIED : past;
  if (definitions.hasClasses) item.props = kept | definitions.props(glyph);
  else item.props = kept | (kind ?? item.props & (BASE | LIGATURE | MARK | 0xff00));
  item.glyph = glyph;
}

function single(run: LookupRun, at: number): boolean {
  const { data, current } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED) return false;
  const isDelta = data.u16(at) === 1;
  if (!isDelta && (data.u16(at) !== 2 || index >= data.u16(at + 4))) return false;
  const glyph = isDelta ? (current.glyph + data.u16(at + 4)) & 0xffff : data.u16(at + 6 + 2 * index);
  replace(run, current, glyph, undefined);
  run.index++;
  return true;
}

function multiple(run: LookupRun, at: number): boolean {
  const { data, current, items } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED || index >= data.u16(at + 4)) return false;
  const sequence = at + data.u16(at + 6 + 2 * index);
  const count = data.u16(sequence);
  if (count === 1) {
    replace(run, current, data.u16(sequence + 2), undefined);
    run.index++;
    return true;
  }
  if (count === 0) {
    removeItem(run, run.index);
    return true;
  }
  if (run.isFull) return false;
  const kind = (current.props & LIGATURE) !== 0 ? BASE : undefined;
  const parts = Array.from({ length: count }, (_, i) => {
    const part = { ...current };
    if (current.ligature === 0) {
      part.component = i;
      part.components = 0;
    }
    replace(run, part, data.u16(sequence + 2 + 2 * i), kind, MULTIPLIED);
    return part;
  });
  items.splice(run.index, 1, ...parts);
  run.index += count;
  return true;
}

/** Removes an item; its cluster goes to the next item, else to those before it. */
export function removeItem({ items }: { readonly items: Item[] }, index: number): void {
  const { cluster } = items[index];
  const next = items[index + 1];
  if (next?.cluster !== cluster) {
    const before = items[index - 1];
    if (before && before.cluster !== cluster) {
      if (cluster < before.cluster) {
        const old = before.cluster;
        for (let i = index - 1; i >= 0 && items[i].cluster === old; i--) items[i].cluster = cluster;
      }
    } else if (!before && next) mergeClusters(items, index, index + 2);
  }
  items.splice(index, 1);
}

function alternate(run: LookupRun, at: number): boolean {
  const { data, current } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED || index >= data.u16(at + 4)) return false;
  const set = at + data.u16(at + 6 + 2 * index);
  if (data.u16(set) < run.value) return false;
  replace(run, current, data.u16(set + 2 * run.value), undefined);
  run.index++;
  return true;
}

function ligate(run: LookupRun, at: number): boolean {
  const { data, current } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED || index >= data.u16(at + 4)) return false;
  const set = at + data.u16(at + 6 + 2 * index);
  for (let i = 0; i < data.u16(set); i++) {
    const ligature = set + data.u16(set + 2 + 2 * i);
    const count = data.u16(ligature + 2);
    if (count === 1) {
      replace(run, current, data.u16(ligature), undefined);
      run.index++;
      return true;
    }
    const match = run.matchInput(
      count,
      (component) => data.u16(ligature + 2 + 2 * component),
      (glyph, value) => glyph === value,
      false,
    );
    if (!match) continue;
    join(run, match.places, match.components, data.u16(ligature));
    return true;
  }
  return false;
}

/** Joins the items at `places` to a ligature. Marks between them then belong to its components. */
function join(run: LookupRun, places: readonly number[], components: number, glyph: number): void {
  const { items } = run;
  const first = items[places[0]];
  const last = places[places.length - 1];
  markUnsafe(items, places[0], last + 1);
  mergeClusters(items, places[0], last + 1);
  const areOthersMarks = places.slice(1).every((place) => isMarkGlyph(items[place]));
  // a base or a mark with marks is not a ligature, so that further marks attach as to a single glyph
  const isLigature = !(areOthersMarks && (first.props & (BASE | MARK)) !== 0);
  const id = isLigature ? run.newLigature() : 0;
  let lastId = first.ligature;
  let lastComponents = componentsOf(first);
  let soFar = lastComponents;
  if (isLigature) {
    first.ligature = id;
    first.component = 0;
    first.components = components;
    // no longer a mark of its text
    if (first.isNonspacing) first.isNonspacing = false;
  }
  replace(run, first, glyph, isLigature ? LIGATURE : undefined, LIGATED);
  const belongTo = (item: Item) => {
    const own = componentOf(item) || lastComponents;
    item.ligature = id;
    item.component = soFar - lastComponents + Math.min(own, lastComponents);
    item.components = 0;
  };
  let next = 1;
  for (let i = places[0] + 1; i <= last; i++) {
    if (i === places[next]) {
      lastId = items[i].ligature;
      lastComponents = componentsOf(items[i]);
      soFar += lastComponents;
      next++;
    } else if (isLigature) belongTo(items[i]);
  }
  const isMarkLigature = areOthersMarks && (first.props & MARK) !== 0 && !isLigature;
  if (!isMarkLigature && lastId > 0) {
    for (let i = last + 1; i < items.length && items[i].ligature === lastId && componentOf(items[i]) > 0; i++) {
      belongTo(items[i]);
    }
  }
  const removed = new Set(places.slice(1));
  const kept = items.slice(places[0], last + 1).filter((_, i) => !removed.has(places[0] + i));
  items.splice(places[0], last + 1 - places[0], ...kept);
  run.index = places[0] + kept.length;
}

function reverse(run: LookupRun, at: number): boolean {
  const { data, current } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED) return false;
  const matchAll = (list: number, step: 1 | -1) => {
    let place: number | undefined = run.index;
    for (let i = 0; i < data.u16(list) && place !== undefined; i++) {
      const covered = at + data.u16(list + 2 + 2 * i);
      place = run.next(place, step, true, (glyph) => coverage(data, covered, glyph) !== NOT_COVERED);
    }
    return place;
  };
  const before = at + 4;
  const after = before + 2 + 2 * data.u16(before);
  const glyphs = after + 2 + 2 * data.u16(after);
  if (index >= data.u16(glyphs)) return false;
  const start = matchAll(before, -1);
  const end = start === undefined ? undefined : matchAll(after, 1);
  if (start === undefined || end === undefined) return false;
  markUnsafe(run.items, start, end + 1);
  replace(run, current, data.u16(glyphs + 2 + 2 * index), undefined);
  return true;
}
