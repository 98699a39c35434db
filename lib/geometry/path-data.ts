// Parses SVG path data (SVG 2 section 9.3) in one pass: what `d` and CSS path() hold.
import { type EndpointArc, endpointArc } from './arc.js';
import { Path, type PathData } from './path.js';

/** Maximum segments of a path, in which an arc is up to eight curves. A detailed map of a country has some 5,000. */
export const MAX_PATH_SEGMENTS = 20_000;
/** Maximum absolute value of a number, in user units. */
const MAX_NUMBER = 1e9;

/** The path, or what was expected where; `at` counts characters from 0. */
export type ParsedPath = PathData | { readonly expected: string; readonly at: number };

export function isPathError(parsed: ParsedPath): parsed is { readonly expected: string; readonly at: number } {
  return 'expected' in parsed;
}

/** Number of arguments of a segment, by command. */
const ARGUMENT_COUNTS: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
};

export function parsePathData(data: string): ParsedPath {
  const scanner = new Scanner(data);
  const pen = new Pen();
  const args = new Float64Array(7);
  let count = 0;
  for (scanner.skipBlanks(); !scanner.isAtEnd; scanner.skipBlanks()) {
    const start = scanner.at;
    const letter = data[scanner.at++];
    const command = letter < 'a' ? String.fromCharCode(letter.charCodeAt(0) + 32) : letter;
    const total = Object.hasOwn(ARGUMENT_COUNTS, command) ? ARGUMENT_COUNTS[command] : undefined;
    if (total === undefined) return { expected: count === 0 ? 'a moveto (M)' : 'a command or a number', at: start };
    if (count === 0 && command !== 'm') return { expected: 'a moveto (M) first', at: start };
    let repeated = command;
    scanner.skipBlanks();
    do {
      count++;
      for (let i = 0; i < total; i++) {
        if (i > 0) scanner.skipComma();
        const from = scanner.at;
        const isFlag = command === 'a' && (i === 3 || i === 4);
        const value = isFlag ? scanner.flag() : scanner.number();
        if (value === undefined) return { expected: isFlag ? 'a flag (0 or 1)' : 'a number', at: from };
        if (!(Math.abs(value) <= MAX_NUMBER)) return { expected: `a number up to ${MAX_NUMBER}`, at: from };
        args[i] = value;
      }
      pen.draw(repeated, letter === command, args);
      if (pen.segments > MAX_PATH_SEGMENTS) {
        return { expected: `at most ${MAX_PATH_SEGMENTS} segments (an arc is up to 8)`, at: start };
      }
      // further pairs after a moveto are linetos
      if (repeated === 'm') repeated = 'l';
    } while (total > 0 && scanner.hasFurtherArguments());
  }
  return pen.data;
}

/** Reads numbers, flags and separators. */
class Scanner {
  at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Skips blanks with at most one comma. */
  skipComma(): void {
    this.skipBlanks();
    if (this.text[this.at] !== ',') return;
    this.at++;
    this.skipBlanks();
  }

  /** Whether another number follows, or a comma, which one must follow; moves to it. */
  hasFurtherArguments(): boolean {
    this.skipBlanks();
    if (this.text[this.at] === ',') {
      this.skipComma();
      return true;
    }
    const code = this.text.charCodeAt(this.at);
    return isDigit(code) || code === PLUS || code === MINUS || code === DOT;
  }

  flag(): number | undefined {
    const code = this.text.charCodeAt(this.at);
    if (code !== ZERO && code !== ZERO + 1) return undefined;
    this.at++;
    return code - ZERO;
  }

  /** A number as SVG packs them (`1-2.5.5e3` has three); undefined, without moving, if there is none. */
  number(): number | undefined {
    const { text } = this;
    const skipDigits = (from: number) => {
      let at = from;
      while (isDigit(text.charCodeAt(at))) at++;
      return at;
    };
    const sign = text.charCodeAt(this.at);
    const first = this.at + (sign === PLUS || sign === MINUS ? 1 : 0);
    let end = skipDigits(first);
    let digits = end - first;
    if (text.charCodeAt(end) === DOT) {
      const fraction = end + 1;
      end = skipDigits(fraction);
      digits += end - fraction;
    }
    if (digits === 0) return undefined;
    if (text[end] === 'e' || text[end] === 'E') {
      const after = text.charCodeAt(end + 1);
      const exponent = end + (after === PLUS || after === MINUS ? 2 : 1);
      const last = skipDigits(exponent);
      if (last > exponent) end = last;
    }
    const value = Number(text.slice(this.at, end));
    this.at = end;
    return value;
  }
}

const ZERO = 48;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** SVG's white space: tab, line feed, form feed, carriage return, space. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}

/** Turns commands into the path's lines and curves; keeps the current point. */
class Pen {
  private readonly path = new Path();
  private x = 0;
  private y = 0;
  private startX = 0;
  private startY = 0;
  /** The last control point, which smooth curves mirror, and the kind of curve that it belongs to. */
  private controlX = 0;
  private controlY = 0;
  private curve: '' | 'c' | 'q' = '';
  /** Whether the last command was a closepath: the next segment then begins a contour at the same start. */
  private isClosed = false;

  get segments(): number {
    return this.path.verbs.length;
  }

  get data(): PathData {
    return { verbs: Uint8Array.from(this.path.verbs), coords: Float64Array.from(this.path.coords) };
  }

  draw(command: string, isRelative: boolean, args: Float64Array): void {
    const { path } = this;
    const baseX = isRelative ? this.x : 0;
    const baseY = isRelative ? this.y : 0;
    if (command === 'm') {
      this.startX = baseX + args[0];
      this.startY = baseY + args[1];
      path.moveTo(this.startX, this.startY);
      this.moveOn(this.startX, this.startY, '');
      this.isClosed = false;
      return;
    }
    if (command === 'z') {
      if (this.isClosed) return;
      path.close();
      this.isClosed = true;
      this.moveOn(this.startX, this.startY, '');
      return;
    }
    if (this.isClosed) path.moveTo(this.startX, this.startY);
    this.isClosed = false;
    switch (command) {
      case 'h':
        this.lineTo(baseX + args[0], this.y);
        break;
      case 'v':
        this.lineTo(this.x, baseY + args[0]);
        break;
      case 'l':
        this.lineTo(baseX + args[0], baseY + args[1]);
        break;
      case 'c':
        this.cubicTo(
          baseX + args[0],
          baseY + args[1],
          baseX + args[2],
          baseY + args[3],
          baseX + args[4],
          baseY + args[5],
        );
        break;
      case 's': {
        const [cx, cy] = this.mirrored('c');
        this.cubicTo(cx, cy, baseX + args[0], baseY + args[1], baseX + args[2], baseY + args[3]);
        break;
      }
      case 'q':
        this.quadTo(baseX + args[0], baseY + args[1], baseX + args[2], baseY + args[3]);
        break;
      case 't': {
        const [cx, cy] = this.mirrored('q');
        this.quadTo(cx, cy, baseX + args[0], baseY + args[1]);
        break;
      }
      default: {
        const arc: EndpointArc = {
          rx: args[0],
          ry: args[1],
          rotation: args[2],
          isLarge: args[3] === 1,
          isClockwise: args[4] === 1,
        };
        const toX = baseX + args[5];
        const toY = baseY + args[6];
        endpointArc(path, this.x, this.y, arc, toX, toY);
        this.moveOn(toX, toY, '');
      }
    }
  }

  private lineTo(x: number, y: number): void {
    this.path.lineTo(x, y);
    this.moveOn(x, y, '');
  }

  private cubicTo(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): void {
    this.path.cubicTo(c1x, c1y, c2x, c2y, x, y);
    this.moveOn(x, y, 'c', c2x, c2y);
  }

  private quadTo(cx: number, cy: number, x: number, y: number): void {
    this.path.quadTo(cx, cy, x, y);
    this.moveOn(x, y, 'q', cx, cy);
  }

  /** The last control point, mirrored at the current point; that point itself after another kind of segment. */
  private mirrored(curve: 'c' | 'q'): [number, number] {
    return this.curve === curve ? [2 * this.x - this.controlX, 2 * this.y - this.controlY] : [this.x, this.y];
  }

  private moveOn(x: number, y: number, curve: '' | 'c' | 'q', controlX = x, controlY = y): void {
    this.x = x;
    this.y = y;
    this.curve = curve;
    this.controlX = controlX;
    this.controlY = controlY;
  }
}
