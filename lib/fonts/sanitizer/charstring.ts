// Type 2 charstrings (Adobe 5177; CFF2's without widths and endings) run without drawing: operands are counted and the
// calls of subroutines followed, with a stack of our own. What passes ends, within the bounds of every reader.
import type { CffIndex } from './cff-data.js';
import { malformedFont } from './errors.js';
import { MAX_POINTS } from './glyf.js';

/** How deep subroutines may call each other (Adobe 5177 appendix B); there are fonts that go all the way. */
const MAX_CALLS = 10;
/** Operands at a time (the same; CFF2 has more for `blend`). */
const MAX_STACK = 48;
const MAX_STACK_2 = 513;
/** Operators and operands of one glyph; 6,515 at most in the fonts tried. */
const MAX_STEPS = 500_000;
/** The same of all glyphs, for each byte of the table: subroutines count each time. Those fonts come to 2.8 at most. */
const STEPS_PER_BYTE = 32;
const BASE_STEPS = 4_000_000;
/** Beyond this the font is refused: about a second of checking. */
const RUN_AT_MOST = 150_000_000;

/** What differs between the fonts within a CFF table. */
export interface LocalFont {
  /** Which set of regions `blend` begins with (CFF2's vsindex). */
  readonly source: number;
  readonly subrs?: CffIndex;
}

/** Operator → the operands that it needs at least, for those that draw or hint and then clear the stack. */
const NEEDS = new Map([
  [1, 2], // hstem
  [3, 2], // vstem
  [4, 1], // vmoveto
  [5, 2], // rlineto
  [6, 1], // hlineto
  [7, 1], // vlineto
  [8, 6], // rrcurveto
  [18, 2], // hstemhm
  [21, 2], // rmoveto
  [22, 1], // hmoveto
  [23, 2], // vstemhm
  [24, 8], // rcurveline
  [25, 8], // rlinecurve
  [26, 4], // vvcurveto
  [27, 4], // hhcurveto
  [30, 4], // vhcurveto
  [31, 4], // hvcurveto
  [1234, 7], // hflex
  [1235, 13], // flex
  [1236, 9], // hflex1
  [1237, 11], // flex1
]);
const NEED = new Int8Array(1300);
for (const [operator, count] of NEEDS) NEED[operator] = count;

const isStem = (operator: number) => operator === 1 || operator === 3 || operator === 18 || operator === 23;

export class CharstringCheck {
  private readonly maxStack: number;
  private readonly stack: Float64Array;
  private depth = 0;
  private budget: number;
  private readonly returns = new Uint32Array(2 * MAX_CALLS);

  /** `regions`: how many numbers `blend` takes for each default, by vsindex. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly globalSubrs: CffIndex,
    private readonly wide: boolean,
    private readonly regions: readonly number[],
  ) {
    this.maxStack = wide ? MAX_STACK_2 : MAX_STACK;
    this.stack = new Float64Array(this.maxStack + 1);
    this.budget = Math.min(RUN_AT_MOST, BASE_STEPS + STEPS_PER_BYTE * bytes.length);
  }

  /** Runs the charstring of `glyph` from `start` to `end`. Throws RenderError where it breaks a rule. */
  run(start: number, end: number, font: LocalFont, glyph: number): void {
    const { bytes, returns, stack, wide } = this;
    const broken = (reason: string) => malformedFont(`the charstring of glyph ${glyph} ${reason}`);
    this.depth = 0;
    let at = start;
    let until = end;
    let calls = 0;
    let stems = 0;
    let points = 0;
    let { source } = font;
    const first = this.budget;
    for (;;) {
      if (at >= until) {
        // CFF2 has no operators that return or end; elsewhere readers let a missing one pass
        if (calls === 0) break;
        until = returns[--calls * 2 + 1];
        at = returns[calls * 2];
        continue;
      }
      if (--this.budget < 0) throw malformedFont('its charstrings call each other too often');
      if (first - this.budget > MAX_STEPS) throw broken(`takes more than ${MAX_STEPS} steps`);
      let operator = bytes[at++];
      if (operator >= 32 || operator === 28) {
        if (this.depth >= this.maxStack) throw broken(`has more than ${this.maxStack} operands at a time`);
        if (operator === 28) {
          stack[this.depth++] = ((bytes[at] << 24) | (bytes[at + 1] << 16)) >> 16;
          at += 2;
        } else if (operator <= 246) stack[this.depth++] = operator - 139;
        else if (operator <= 250) stack[this.depth++] = (operator - 247) * 256 + bytes[at++] + 108;
        else if (operator <= 254) stack[this.depth++] = -(operator - 251) * 256 - bytes[at++] - 108;
        else {
          stack[this.depth++] = (bytes[at] << 8) | bytes[at + 1];
          at += 4;
        }
        if (at > until) throw broken('is cut short');
        continue;
      }
      if (operator === 12) operator = 1200 + ((bytes[at++] ?? 0) % 100);
      if (operator === 10 || operator === 29) {
        const subrs = operator === 10 ? font.subrs : this.globalSubrs;
        if (this.depth === 0) throw broken('calls a subroutine without a number');
        const count = subrs?.count ?? 0;
        const number = stack[--this.depth] + (count < 1240 ? 107 : count < 33900 ? 1131 : 32768);
        if (!subrs || !(number >= 0 && number < count)) throw broken(`calls the subroutine ${number} of ${count}`);
        if (calls === MAX_CALLS) throw broken(`calls subroutines more than ${MAX_CALLS} deep`);
        returns[calls * 2] = at;
        returns[calls++ * 2 + 1] = until;
        at = subrs.offsetOf(number);
        until = subrs.offsetOf(number + 1);
      } else if (operator === 11 && !wide) {
        if (calls === 0) break;
        until = returns[--calls * 2 + 1];
        at = returns[calls * 2];
      } else if (operator === 14 && !wide) break;
      else if (operator === 15 && wide) {
        source = this.depth > 0 ? stack[--this.depth] : -1;
        if (!(source in this.regions)) throw broken(`takes variations from the set ${source}`);
      } else if (operator === 16 && wide) {
        const fields = this.depth > 0 ? stack[--this.depth] : 0;
        const taken = fields * (this.regions[source] ?? 0);
        if (!(fields >= 0) || taken + fields > this.depth) throw broken('blends more operands than it has');
        this.depth -= taken;
      } else if (operator === 19 || operator === 20) {
        stems += this.depth >> 1;
        at += (stems + 7) >> 3;
        if (at > until) throw broken('is cut short');
        this.depth = 0;
      } else if (operator > 1200 && operator < 1234) this.calculate(operator, broken);
      else {
        if (this.depth < NEED[operator]) throw broken('has an operator without its operands');
        if (isStem(operator)) stems += this.depth >> 1;
        else if (NEED[operator] > 0) points += (this.depth + 1) >> 1;
        if (points > MAX_POINTS) throw broken(`draws more than ${MAX_POINTS} points`);
        this.depth = 0;
      }
    }
  }

  /** Arithmetic, which only old converters wrote. Storage, conditions and random numbers are refused: no reader has them all. */
  private calculate(operator: number, broken: (reason: string) => Error): void {
    const { stack } = this;
    const top = this.depth - 1;
    const takes = operator === 1209 || operator === 1214 || operator === 1218 || operator === 1227 ? 1 : 2;
    if (this.depth < takes) throw broken('has an operator without its operands');
    const a = stack[top - 1];
    const b = stack[top];
    const put = (value: number) => {
      this.depth -= takes;
      stack[this.depth++] = value;
    };
    if (operator === 1209) put(Math.abs(b));
    else if (operator === 1210) put(a + b);
    else if (operator === 1211) put(a - b);
    else if (operator === 1212) put(b === 0 ? 0 : a / b);
    else if (operator === 1214) put(-b);
    else if (operator === 1218) this.depth--;
    else if (operator === 1224) put(a * b);
    else if (operator === 1227) {
      if (this.depth >= this.maxStack) throw broken(`has more than ${this.maxStack} operands at a time`);
      stack[this.depth++] = b;
    } else if (operator === 1228) {
      stack[top - 1] = b;
      stack[top] = a;
    } else throw broken(`has the operator 12 ${operator - 1200}, which is not read`);
  }
}
