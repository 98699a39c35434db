// The caret goes through a text by pointer and keys, and a selection covers areas.
import t from 'tap';
import {
  type CaretStop,
  type Carets,
  lineEdge,
  selectedAreas,
  sideOf,
  stopAt,
  stopBeside,
  stopInLine,
  stopNear,
} from '../../../../web/canvas/text/carets.js';

type Direction = CaretStop['direction'];

const lineOf = (start: number, end: number, y: number, width: number, direction: Direction = 'ltr') => ({
  ...{ start, end, x: 0, y, width, height: 20, baseline: y + 15, direction },
});
const stop = (line: number, offset: number, x: number, direction: Direction = 'ltr') => ({
  line,
  offset,
  x,
  direction,
});

/** "ab cd" that wraps behind the blank, then a line end and "e". */
const WRAPPED: Carets = {
  text: 'ab cd\ne',
  lines: [lineOf(0, 3, 0, 30), lineOf(3, 5, 20, 20), lineOf(6, 7, 40, 10)],
  stops: [
    ...[0, 1, 2, 3].map((offset) => stop(0, offset, offset * 10)),
    ...[3, 4, 5].map((offset) => stop(1, offset, (offset - 3) * 10)),
    ...[6, 7].map((offset) => stop(2, offset, (offset - 6) * 10)),
  ],
};

/** "ab" and two Hebrew letters, then "c". */
const MIXED: Carets = {
  text: 'ab\u05d0\u05d1c',
  lines: [lineOf(0, 5, 0, 50)],
  stops: [
    ...[stop(0, 0, 0), stop(0, 1, 10), stop(0, 2, 20)],
    ...[stop(0, 2, 40, 'rtl'), stop(0, 3, 30, 'rtl'), stop(0, 4, 20, 'rtl')],
    ...[stop(0, 4, 40), stop(0, 5, 50)],
  ],
};

/** Two lines of Hebrew letters. */
const RIGHT_TO_LEFT: Carets = {
  text: '\u05d0\u05d1\n\u05d2',
  lines: [lineOf(0, 2, 0, 20, 'rtl'), lineOf(3, 4, 20, 10, 'rtl')],
  stops: [
    ...[stop(0, 0, 40, 'rtl'), stop(0, 1, 30, 'rtl'), stop(0, 2, 20, 'rtl')],
    ...[stop(1, 3, 40, 'rtl'), stop(1, 4, 30, 'rtl')],
  ],
};

/** The places that an arrow key goes through, as line, offset and x. */
function walk(carets: Carets, from: CaretStop, direction: -1 | 1): string[] {
  const places: string[] = [];
  for (let at = from, next = stopBeside(carets, at, direction); next !== at; next = stopBeside(carets, at, direction)) {
    at = next;
    places.push(`${at.line} ${at.offset} ${at.x}`);
  }
  return places;
}

t.test('where a line wraps, the caret is before what follows, but End leaves it on the line', async (t) => {
  t.same(stopAt(WRAPPED, 3), stop(1, 3, 0));
  const end = lineEdge(WRAPPED, WRAPPED.stops[0]!, 1);
  t.same(end, stop(0, 3, 30));
  t.same(stopAt(WRAPPED, 3, end), end, 'the place that it had');
  t.same(stopAt(WRAPPED, 99), stop(2, 7, 10), 'behind the text, its end');
});

t.test('arrow keys go through all places once, over the ends of lines', async (t) => {
  const right = walk(WRAPPED, WRAPPED.stops[0]!, 1);
  t.same(right, ['0 1 10', '0 2 20', '1 3 0', '1 4 10', '1 5 20', '2 6 0', '2 7 10']);
  const left = walk(WRAPPED, WRAPPED.stops.at(-1)!, -1);
  t.same(left, ['2 6 0', '1 5 20', '1 4 10', '1 3 0', '0 2 20', '0 1 10', '0 0 0']);
});

t.test('arrow keys go in the order that is seen where directions mix', async (t) => {
  t.same(walk(MIXED, MIXED.stops[0]!, 1), ['0 1 10', '0 2 20', '0 3 30', '0 2 40', '0 5 50']);
  t.same(walk(MIXED, MIXED.stops.at(-1)!, -1), ['0 4 40', '0 3 30', '0 4 20', '0 1 10', '0 0 0']);
  t.same(walk(RIGHT_TO_LEFT, RIGHT_TO_LEFT.stops[0]!, -1), ['0 1 30', '0 2 20', '1 3 40', '1 4 30']);
  t.same(walk(RIGHT_TO_LEFT, RIGHT_TO_LEFT.stops.at(-1)!, 1), ['1 3 40', '0 2 20', '0 1 30', '0 0 40']);
});

t.test('up and down keep the x, and go to the ends of the text beyond its lines', async (t) => {
  const from = stop(0, 2, 20);
  const down = stopInLine(WRAPPED, from, 1, 20);
  t.same(down, stop(1, 5, 20));
  t.same(stopInLine(WRAPPED, down, 1, 20), stop(2, 7, 10));
  t.same(stopInLine(WRAPPED, stop(2, 6, 0), 1, 20), stop(2, 7, 10));
  t.same(stopInLine(WRAPPED, from, -1, 20), stop(0, 0, 0));
});

t.test('a point means the nearest place of the line at its height', async (t) => {
  t.same(stopNear(WRAPPED, { x: 14, y: 25 }), stop(1, 4, 10));
  t.same(stopNear(WRAPPED, { x: 99, y: -5 }), stop(0, 3, 30));
  t.same(stopNear(WRAPPED, { x: -9, y: 999 }), stop(2, 6, 0));
  t.equal(stopNear({ text: '', lines: [], stops: [] }, { x: 0, y: 0 }), undefined);
});

t.test('a selection covers its characters, line ends, and each direction by itself', async (t) => {
  t.same(selectedAreas(WRAPPED, 1, 4), [
    { x: 10, y: 0, width: 20, height: 20 },
    { x: 0, y: 20, width: 10, height: 20 },
  ]);
  const withLineEnd = selectedAreas(WRAPPED, 4, 7);
  t.same(withLineEnd, [
    { x: 10, y: 20, width: 14, height: 20 },
    { x: 0, y: 40, width: 10, height: 20 },
  ]);
  t.same(selectedAreas(MIXED, 1, 3), [
    { x: 10, y: 0, width: 10, height: 20 },
    { x: 30, y: 0, width: 10, height: 20 },
  ]);
  t.same(selectedAreas(MIXED, 0, 5), [
    { x: 0, y: 0, width: 20, height: 20 },
    { x: 20, y: 0, width: 30, height: 20 },
  ]);
  t.same(selectedAreas(WRAPPED, 2, 2), []);
});

t.test('an arrow key leaves a selection at its left or right end', async (t) => {
  const [start, end] = [stop(0, 1, 30, 'rtl'), stop(0, 2, 20, 'rtl')];
  t.equal(sideOf(RIGHT_TO_LEFT, start, end, -1), end);
  t.equal(sideOf(RIGHT_TO_LEFT, start, end, 1), start);
  t.equal(sideOf(WRAPPED, WRAPPED.stops[0]!, WRAPPED.stops[5]!, -1), WRAPPED.stops[0]);
});
