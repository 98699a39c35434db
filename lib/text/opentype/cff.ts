// Outlines of CFF fonts (Adobe Technical Notes 5176 "CFF" and 5177 "Type 2 Charstrings"). Hints are skipped.
import { Path } from '../../geometry/path.js';
import type { Data } from './data.js';

/** A list of byte strings. */
interface Index {
  readonly count: number;
  range(index: number): readonly [start: number, end: number];
  readonly end: number;
}

function readIndex(cff: Data, at: number): Index {
  const count = cff.u16(at);
  if (count === 0) return { count, range: () => [0, 0], end: at + 2 };
  const size = cff.u8(at + 2);
  const offset = (index: number) => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + cff.u8(at + 3 + index * size + i);
    return value;
  };
  const data = at + 2 + (count + 1) * size;
  return {
    count,
    range: (index) => (index >= 0 && index < count ? [data + offset(index), data + offset(index + 1)] : [0, 0]),
    end: data + offset(count),
  };
}

// operators of dictionaries; two-byte ones from 1200 on
const CHARSTRINGS = 17;
const PRIVATE = 18;
const SUBROUTINES = 19;
const FONT_ARRAY = 1236;
const FONT_SELECT = 1237;

/** The operands of each operator. Real numbers are skipped: no operator that we need has them. */
function readDictionary(cff: Data, start: number, end: number): Map<number, number[]> {
  const entries = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = start; at < end; ) {
    const byte = cff.u8(at++);
    if (byte <= 21) {
      entries.set(byte === 12 ? 1200 + cff.u8(at++) : byte, operands);
      operands = [];
    } else if (byte === 28) {
      operands.push(cff.i16(at));
      at += 2;
    } else if (byte === 29) {
      operands.push(cff.u32(at) | 0);
      at += 4;
    } else if (byte === 30) {
      while (at < end && (cff.u8(at) & 0xf) !== 0xf) at++;
      at++;
      operands.push(0);
    } else if (byte <= 246) operands.push(byte - 139);
    else if (byte <= 250) operands.push((byte - 247) * 256 + cff.u8(at++) + 108);
    else if (byte <= 254) operands.push(-(byte - 251) * 256 - cff.u8(at++) - 108);
  }
  return entries;
}

/** The subroutines of a Private dictionary; undefined without one. */
function readSubroutines(cff: Data, entries: ReadonlyMap<number, number[]>): Index | undefined {
  const [size = 0, start = 0] = entries.get(PRIVATE) ?? [];
  const offset = readDictionary(cff, start, start + size).get(SUBROUTINES)?.[0];
  return offset === undefined ? undefined : readIndex(cff, start + offset);
}

/** The index of a glyph's font dictionary. */
function selectFont(cff: Data, at: number, glyph: number): number {
  if (cff.u8(at) === 0) return cff.u8(at + 1 + glyph);
  for (let i = 0; i < cff.u16(at + 1); i++) {
    const range = at + 3 + 3 * i;
    if (glyph < cff.u16(range + 3)) return cff.u8(range + 2);
  }
  return 0;
}

export function cffOutlines(cff: Data): (glyph: number) => Path {
  const names = readIndex(cff, cff.u8(2));
  const tops = readIndex(cff, names.end);
  const strings = readIndex(cff, tops.end);
  const global = readIndex(cff, strings.end);
  const top = readDictionary(cff, ...tops.range(0));
  const charstrings = readIndex(cff, top.get(CHARSTRINGS)?.[0] ?? cff.length);
  const select = top.get(FONT_SELECT)?.[0];
  const fontArray = top.get(FONT_ARRAY)?.[0];
  const fonts = fontArray === undefined ? undefined : readIndex(cff, fontArray);
  const locals = fonts
    ? Array.from({ length: fonts.count }, (_, i) => readSubroutines(cff, readDictionary(cff, ...fonts.range(i))))
    : [readSubroutines(cff, top)];
  return (glyph) => {
    const path = new Path();
    if (glyph >= charstrings.count) return path;
    const local = locals[fonts && select !== undefined ? selectFont(cff, select, glyph) : 0];
    const interpreter = new Interpreter(cff, global, local, new Pen(path));
    interpreter.run(...charstrings.range(glyph), 0);
    interpreter.pen.close();
    return path;
  };
}

const { fround } = Math;

/** Draws with relative steps; begins a contour with its first line, as HarfBuzz does. */
class Pen {
  x = 0;
  y = 0;
  private startX = 0;
  private startY = 0;
  private isOpen = false;

  constructor(private readonly path: Path) {}

  move(dx: number, dy: number): void {
    this.close();
    this.x += dx;
    this.y += dy;
  }

  line(dx: number, dy: number): void {
    this.open();
    this.x += dx;
    this.y += dy;
    this.path.lineTo(fround(this.x), fround(this.y));
  }

  curve(dx1: number, dy1: number, dx2: number, dy2: number, dx3: number, dy3: number): void {
    this.open();
    const [x1, y1] = [this.x + dx1, this.y + dy1];
    const [x2, y2] = [x1 + dx2, y1 + dy2];
    this.x = x2 + dx3;
    this.y = y2 + dy3;
    this.path.cubicTo(fround(x1), fround(y1), fround(x2), fround(y2), fround(this.x), fround(this.y));
  }

  close(): void {
    if (!this.isOpen) return;
    const isAtStart = fround(this.x) === this.startX && fround(this.y) === this.startY;
    if (!isAtStart) this.path.lineTo(this.startX, this.startY);
    this.path.close();
    this.isOpen = false;
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.startX = fround(this.x);
    this.startY = fround(this.y);
    this.path.moveTo(this.startX, this.startY);
  }
}

const MAX_DEPTH = 10;
const MAX_OPERANDS = 513;
/** Operators that one glyph may run. */
const MAX_OPERATORS = 200_000;

class Interpreter {
  private stack: number[] = [];
  private stems = 0;
  private operators = 0;
  private isEnded = false;

  constructor(
    private readonly cff: Data,
    private readonly global: Index,
    private readonly local: Index | undefined,
    readonly pen: Pen,
  ) {}

  run(start: number, end: number, depth: number): void {
    const { cff } = this;
    for (let at = start; at < Math.min(end, cff.length) && !this.isEnded; ) {
      const byte = cff.u8(at++);
      if (byte === 28) {
        this.push(cff.i16(at));
        at += 2;
      } else if (byte === 255) {
        this.push((cff.u32(at) | 0) / 65_536);
        at += 4;
      } else if (byte >= 251) this.push(-(byte - 251) * 256 - cff.u8(at++) - 108);
      else if (byte >= 247) this.push((byte - 247) * 256 + cff.u8(at++) + 108);
      else if (byte >= 32) this.push(byte - 139);
      else if (byte === 11) return;
      else if (byte === 10 || byte === 29) this.call(byte === 10 ? this.local : this.global, depth);
      else if (byte === 19 || byte === 20) {
        this.countStems();
        at += (this.stems + 7) >> 3;
      } else {
        if (++this.operators > MAX_OPERATORS) this.isEnded = true;
        this.execute(byte === 12 ? 1200 + cff.u8(at++) : byte);
        this.stack = [];
      }
    }
  }

  private push(value: number): void {
    if (this.stack.length < MAX_OPERANDS) this.stack.push(value);
  }

  private call(subroutines: Index | undefined, depth: number): void {
    const number = this.stack.pop();
    if (!subroutines || number === undefined || depth >= MAX_DEPTH || ++this.operators > MAX_OPERATORS) return;
    const bias = subroutines.count < 1240 ? 107 : subroutines.count < 33_900 ? 1131 : 32_768;
    this.run(...subroutines.range(number + bias), depth + 1);
  }

  private countStems(): void {
    this.stems += this.stack.length >> 1;
    this.stack = [];
  }

  private execute(operator: number): void {
    const { pen, stack } = this;
    switch (operator) {
      case 1:
      case 3:
      case 18:
      case 23:
        this.countStems();
        break;
      // a move may have the glyph's width before it
      case 21:
        pen.move(...this.last(2));
        break;
      case 22:
        pen.move(this.last(1)[0], 0);
        break;
      case 4:
        pen.move(0, this.last(1)[0]);
        break;
      case 5:
        for (let i = 0; i + 1 < stack.length; i += 2) pen.line(stack[i], stack[i + 1]);
        break;
      case 6:
      case 7:
        stack.forEach((step, i) => {
          if ((operator === 6) === (i % 2 === 0)) pen.line(step, 0);
          else pen.line(0, step);
        });
        break;
      case 8:
        this.curves(0, stack.length);
        break;
      case 24: {
        const at = this.curves(0, stack.length - 2);
        if (at + 1 < stack.length) pen.line(stack[at], stack[at + 1]);
        break;
      }
      case 25: {
        let at = 0;
        for (; at + 7 < stack.length; at += 2) pen.line(stack[at], stack[at + 1]);
        this.curves(at, stack.length);
        break;
      }
      case 26:
      case 27:
        this.parallelCurves(operator === 27);
        break;
      case 30:
      case 31:
        this.alternatingCurves(operator === 31);
        break;
      case 1234:
      case 1235:
      case 1236:
      case 1237:
        this.flex(operator);
        break;
      case 14:
        this.isEnded = true;
        break;
    }
  }

  private last<Count extends 1 | 2>(count: Count): Count extends 2 ? [number, number] : [number] {
    const values = this.stack.slice(-count);
    while (values.length < count) values.push(0);
    return values as Count extends 2 ? [number, number] : [number];
  }

  /** Curves of six operands each in [start, end); returns where they end. */
  private curves(start: number, end: number): number {
    let at = start;
    for (; at + 5 < end; at += 6) {
      const [a, b, c, d, e, f] = this.stack.slice(at, at + 6);
      this.pen.curve(a, b, c, d, e, f);
    }
    return at;
  }

  /** Curves that begin and end horizontally, or vertically; the first may begin with a step aside. */
  private parallelCurves(isHorizontal: boolean): void {
    const { stack, pen } = this;
    let aside = stack.length % 4 === 1 ? stack[0] : 0;
    for (let at = stack.length % 4 === 1 ? 1 : 0; at + 3 < stack.length; at += 4) {
      const [a, b, c, d] = stack.slice(at, at + 4);
      if (isHorizontal) pen.curve(a, aside, b, c, d, 0);
      else pen.curve(aside, a, b, c, 0, d);
      aside = 0;
    }
  }

  /** Curves that begin horizontally and end vertically, then the other way round, and so on. */
  private alternatingCurves(startsHorizontal: boolean): void {
    const { stack, pen } = this;
    let isHorizontal = startsHorizontal;
    for (let at = 0; at + 3 < stack.length; at += 4) {
      const [a, b, c, d] = stack.slice(at, at + 4);
      const rest = stack.length - at === 5 ? stack[at + 4] : 0;
      if (isHorizontal) pen.curve(a, 0, b, c, rest, d);
      else pen.curve(0, a, b, c, d, rest);
      isHorizontal = !isHorizontal;
    }
  }

  /** Two curves that are a line at small sizes. */
  private flex(operator: number): void {
    const { pen } = this;
    const s = Array.from({ length: 12 }, (_, i) => this.stack[i] ?? 0);
    if (operator === 1234) {
      pen.curve(s[0], 0, s[1], s[2], s[3], 0);
      pen.curve(s[4], 0, s[5], -s[2], s[6], 0);
    } else if (operator === 1235) {
      this.curves(0, 12);
    } else if (operator === 1236) {
      pen.curve(s[0], s[1], s[2], s[3], s[4], 0);
      pen.curve(s[5], 0, s[6], s[7], s[8], -(s[1] + s[3] + s[7]));
    } else {
      const dx = s[0] + s[2] + s[4] + s[6] + s[8];
      const dy = s[1] + s[3] + s[5] + s[7] + s[9];
      const isHorizontal = Math.abs(dx) > Math.abs(dy);
      pen.curve(s[0], s[1], s[2], s[3], s[4], s[5]);
      pen.curve(s[6], s[7], s[8], s[9], isHorizontal ? s[10] : -dx, isHorizontal ? -dy : s[10]);
    }
  }
}
