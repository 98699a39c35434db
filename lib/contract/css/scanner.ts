// Reads the parts of a CSS value one after the other, in linear time: numbers with units, keywords, functions, colours.
// Whatever does not match returns undefined or false, and leaves the position where it was.
import type { LengthPercentage } from '../../geometry/length.js';
import type { Color } from '../../raster/color.js';
import { asciiLowercase } from '../../unicode/ascii.js';
import { parseColor } from './parse-color.js';

/** Matches a number token (CSS Syntax 3, section 4.3.3) with its unit. */
const NUMBER = /([+-]?(?:\d*\.\d+|\d+)(?:e[+-]?\d+)?)(%|[a-z]+)?/iy;
const WORD = /-?[a-z_][a-z0-9_-]*/iy;
const BLANK = /[ \t\n\r\f]*/y;
/** A colour: hex digits, a function without inner functions, or a name. */
const COLOR = /#[0-9a-f]+|[a-z]+\([^()]*\)|[a-z]+(?![a-z0-9_(-])/iy;

export interface Dimension {
  readonly value: number;
  /** The unit in lower case; '' for a plain number. */
  readonly unit: string;
}

export class Scanner {
  /** Index of the next character. */
  position = 0;

  constructor(readonly source: string) {}

  /** Whether nothing but blanks is left. */
  get isDone(): boolean {
    this.skipBlanks();
    return this.position === this.source.length;
  }

  /** A finite number with its unit, `%` included. */
  dimension(): Dimension | undefined {
    const match = this.match(NUMBER);
    if (!match) return undefined;
    const value = Number(match[1]);
    if (!Number.isFinite(value)) {
      this.position -= match[0].length;
      return undefined;
    }
    return { value, unit: asciiLowercase(match[2] ?? '') };
  }

  /** A number without a unit. */
  number(): number | undefined {
    return this.attempt(() => {
      const found = this.dimension();
      return found?.unit === '' ? found.value : undefined;
    });
  }

  /** The next word in lower case, unless it is a function's name. `allowed`: the only words to accept. */
  keyword<const Word extends string>(allowed?: readonly Word[]): Word | undefined {
    return this.attempt(() => {
      const word = this.match(WORD)?.[0];
      if (word === undefined || this.source[this.position] === '(') return undefined;
      const lower = asciiLowercase(word) as Word;
      return allowed === undefined || allowed.includes(lower) ? lower : undefined;
    });
  }

  /** The name of a function in lower case; the position is then after its opening bracket. */
  functionName(): string | undefined {
    return this.attempt(() => {
      const word = this.match(WORD)?.[0];
      if (word === undefined || this.source[this.position] !== '(') return undefined;
      this.position++;
      return asciiLowercase(word);
    });
  }

  /** Skips blanks and the character `mark`; whether it was there. */
  mark(mark: string): boolean {
    this.skipBlanks();
    if (this.source[this.position] !== mark) return false;
    this.position++;
    return true;
  }

  /** Any colour that a layer may have. */
  color(): Color | undefined {
    return this.attempt(() => {
      const match = this.match(COLOR);
      return match ? parseColor(match[0]) : undefined;
    });
  }

  /** A string in single or double quotes, without escapes. */
  string(): string | undefined {
    this.skipBlanks();
    const quote = this.source[this.position];
    if (quote !== '"' && quote !== "'") return undefined;
    const end = this.source.indexOf(quote, this.position + 1);
    if (end < 0) return undefined;
    const content = this.source.slice(this.position + 1, end);
    this.position = end + 1;
    return content;
  }

  /** Runs `read`; where it returns undefined, the position is as before. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.position;
    const result = read();
    if (result === undefined) this.position = start;
    return result;
  }

  private skipBlanks(): void {
    BLANK.lastIndex = this.position;
    BLANK.test(this.source);
    this.position = BLANK.lastIndex;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    const start = this.position;
    this.skipBlanks();
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.source);
    this.position = match ? pattern.lastIndex : start;
    return match;
  }
}

/** A length in px, a percentage, or 0 without a unit. */
export function readLength(scanner: Scanner): LengthPercentage | undefined {
  return scanner.attempt(() => {
    const found = scanner.dimension();
    if (!found) return undefined;
    const { value, unit } = found;
    if (unit === '%') return { px: 0, percent: value };
    return unit === 'px' || (unit === '' && value === 0) ? { px: value, percent: 0 } : undefined;
  });
}

const DEGREES: ReadonlyMap<string, number> = new Map([
  ['deg', 1],
  ['grad', 0.9],
  ['rad', 180 / Math.PI],
  ['turn', 360],
]);

/** An angle in degrees; 0 needs no unit. */
export function readAngle(scanner: Scanner): number | undefined {
  return scanner.attempt(() => {
    const found = scanner.dimension();
    if (!found) return undefined;
    const { value, unit } = found;
    if (unit === '' && value === 0) return 0;
    const factor = DEGREES.get(unit);
    return factor === undefined ? undefined : value * factor;
  });
}
