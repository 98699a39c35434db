// Grids: names of lines and areas become numbers, which are all that payloads know.
import type { ElementBox } from '../boxes.js';
import type { Style } from '../css/style.js';
import { functionOf, splitTop } from '../css/tokens.js';
import type { MarkupReport } from '../report.js';
import { definedOnly, type LayerFields } from './fields.js';
import { alignment, type GridNames, justification, type Lines } from './sizes.js';

interface Axis {
  /** The track list without names; undefined for none. */
  readonly tracks: string | undefined;
  readonly lines: Map<string, number[]>;
}

/** The fields of a grid container, and the names for the places of its items. */
export function gridFields(box: ElementBox, report: MarkupReport): { fields: LayerFields; names: GridNames } {
  const { style } = box;
  const columns = readTemplate(style.inPixels('gridTemplateColumns'));
  const rows = readTemplate(style.inPixels('gridTemplateRows'));
  const areas = readAreas(style.get('gridTemplateAreas'));
  if (!areas) report.unsupported(box.place, 'gridTemplateAreas', style.get('gridTemplateAreas'));
  for (const [name, { top, right, bottom, left }] of areas ?? []) {
    addLine(columns.lines, `${name}-start`, left);
    addLine(columns.lines, `${name}-end`, right);
    addLine(rows.lines, `${name}-start`, top);
    addLine(rows.lines, `${name}-end`, bottom);
  }
  const gaps = [style.pixels('rowGap'), style.pixels('columnGap')];
  const [align, justify] = ['alignItems', 'justifyItems'].map((property) => alignment(style.get(property)));
  const spread = (property: string) => {
    const value = style.get(property);
    return value === 'normal' || value === 'stretch' ? undefined : justification(value);
  };
  const auto = (property: string) => {
    const value = style.inPixels(property);
    return value === 'auto' ? undefined : value;
  };
  const flow = style.get('gridAutoFlow');
  const fields = definedOnly({
    layout: 'grid',
    gap: gaps.every((gap) => gap === 0) ? undefined : gaps[0] === gaps[1] ? gaps[0] : gaps,
    gridTemplateColumns: columns.tracks,
    gridTemplateRows: rows.tracks,
    gridAutoColumns: auto('gridAutoColumns'),
    gridAutoRows: auto('gridAutoRows'),
    gridAutoFlow: flow === 'row' ? undefined : flow,
    alignItems: align === 'start' ? undefined : align,
    justifyItems: justify === 'start' ? undefined : justify,
    justifyContent: spread('justifyContent'),
    alignContent: spread('alignContent'),
  });
  return { fields, names: { columns: columns.lines, rows: rows.lines } };
}

/** The place of an item in its grid. `isReplaced`: pictures are not stretched unless they ask for it. */
export function gridItemFields(style: Style, names: GridNames, isReplaced: boolean): LayerFields {
  const own = (property: string) => {
    const value = style.get(property);
    if (value === 'auto' || value === 'normal') return isReplaced ? 'start' : undefined;
    return alignment(value);
  };
  return definedOnly({
    gridColumn: placeField(style.get('gridColumnStart'), style.get('gridColumnEnd'), names.columns),
    gridRow: placeField(style.get('gridRowStart'), style.get('gridRowEnd'), names.rows),
    alignSelf: own('alignSelf'),
    justifySelf: own('justifySelf'),
  });
}

function addLine(lines: Map<string, number[]>, name: string, line: number): void {
  const known = lines.get(name) ?? [];
  lines.set(
    name,
    [...known, line].sort((one, other) => one - other),
  );
}

/** The most times that a track list is written out. */
const MAX_REPEATS = 1000;

/** Reads a track list: `[full-start] 1fr [main-start] repeat(2, 200px [col]) [full-end]`. */
function readTemplate(value: string): Axis {
  const lines = new Map<string, number[]>();
  if (value === 'none' || value === '') return { tracks: undefined, lines };
  const tracks: string[] = [];
  const read = (text: string) => {
    for (const word of splitTop(text.replaceAll('[', ' [').replaceAll(']', '] '), ' ')) {
      if (word.startsWith('[')) {
        for (const name of word.slice(1, -1).split(',')) addLine(lines, name, tracks.length + 1);
        continue;
      }
      const repeat = functionOf(word);
      const [count = '', ...list] = repeat?.name === 'repeat' ? splitTop(repeat.args, ',') : [];
      if (/^\d+$/.test(count) && /\[/.test(word)) {
        for (let i = 0; i < Math.min(Number(count), MAX_REPEATS); i++) read(list.join(','));
      } else {
        tracks.push(word.replace(/\[[^\]]*\]/g, ' '));
        // the other tracks of a repetition have lines, too
        const each = /^\d+$/.test(count) ? splitTop(list.join(','), ' ').length * Number(count) : 1;
        for (let i = 1; i < Math.min(each, MAX_REPEATS); i++) tracks.push('');
      }
    }
  };
  read(bracketed(value));
  return { tracks: tracks.filter((track) => track !== '').join(' '), lines };
}

/** Names in square brackets without blanks, so that they are one word each. */
function bracketed(value: string): string {
  return value.replace(/\[\s*([^\]]*?)\s*\]/g, (_, names: string) => `[${names.split(/\s+/).join(',')}]`);
}

interface Area {
  readonly top: number;
  readonly left: number;
  right: number;
  bottom: number;
}

/** Reads `"head head" "side main"`; undefined for areas that are no rectangles. */
function readAreas(value: string): Map<string, Area> | undefined {
  const areas = new Map<string, Area>();
  if (value === 'none') return areas;
  const rows = Array.from(value.matchAll(/"([^"]*)"|'([^']*)'/g), ([, one, other]) =>
    (one ?? other ?? '').trim().split(/\s+/),
  );
  rows.forEach((cells, row) => {
    cells.forEach((name, column) => {
      if (/^\.+$/.test(name)) return;
      const known = areas.get(name);
      if (!known) areas.set(name, { top: row + 1, left: column + 1, bottom: row + 2, right: column + 2 });
      else {
        known.right = Math.max(known.right, column + 2);
        known.bottom = row + 2;
      }
    });
  });
  for (const [name, { top, left, right, bottom }] of areas) {
    const inside = rows
      .slice(top - 1, bottom - 1)
      .every((row) => row.slice(left - 1, right - 1).every((cell) => cell === name));
    if (!inside) return undefined;
  }
  return areas;
}

function placeField(start: string, end: string, lines: Lines): string | number | undefined {
  const from = lineOf(start, 'start', lines);
  const to = lineOf(end, 'end', lines);
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return typeof from === 'number' ? from : from;
  return from === undefined ? `span 1 / ${to}` : `${from} / ${to}`;
}

/** A line as a number, or `span 2`; undefined for auto, and for a name that no line has. */
function lineOf(value: string, side: 'start' | 'end', lines: Lines): number | string | undefined {
  const text = value.trim();
  if (text === 'auto' || text === '') return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  const span = /^span\s+(\d+)$/.exec(text) ?? /^(\d+)\s+span$/.exec(text);
  if (span) return `span ${span[1]}`;
  const named = /^(?:(-?\d+)\s+)?([a-z_][\w-]*)(?:\s+(-?\d+))?$/i.exec(text);
  if (!named) return undefined;
  const [, before, name, after] = named;
  const found = lines.get(
    before === undefined && after === undefined && lines.has(`${name}-${side}`) ? `${name}-${side}` : name,
  );
  const index = Number(before ?? after ?? 1);
  return found?.at(index > 0 ? index - 1 : index);
}
