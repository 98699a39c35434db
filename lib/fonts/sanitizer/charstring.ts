// Runs Type 2 charstrings (Adobe 5177; in CFF2 without widths and endchar) without drawing: counts operands and follows
// subroutine calls with an explicit stack. A charstring that passes terminates within the limits of every font reader.
import type { CffIndex } from './cff-data.js';
import { malformedFont } from './errors.js';
import { MAX_POINTS } from './glyf.js';

/** Nesting depth of subroutine calls (Adobe 5177 appendix B); some fonts use all of it. */
const MAX_CALL_DEPTH = 10;
/** Operands on the stack (the same appendix; CFF2 allows more, for `blend`). */
const MAX_STACK = 48;
const MAX_STACK_CFF2 = 513;
/** Operators and operands executed for one glyph; at most 6,515 in the tested fonts. */
const MAX_STEPS = 500_000;
/** Steps of all glyphs per byte of the table; a subroutine counts at each call. The tested fonts need at most 2.8. */
const STEPS_PER_BYTE = 32;
const BASE_STEPS = 4_000_000;
/** Steps of all glyphs, whatever the table's size: about a second of checking. */
const MAX_TOTAL_STEPS = 150_000_000;

/** The part of a Font DICT's private data that charstrings use. */
export interface LocalFont {
  /** The initial vsindex (CFF2): selects the set of regions for `blend`. */
  readonly vsindex: number;
  readonly subrs?: CffIndex;
}

/** Drawing and hinting operator → minimum number of operands. These operators clear the stack. */
const OPERAND_COUNTS = new Map([
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
/** The same as an array, indexed by operator. */
const MIN_OPERANDS = new Int8Array(1300);
for (const [operator, count] of OPERAND_COUNTS) MIN_OPERANDS[operator] = count;

const isStem = (operator: number) => operator === 1 || operator === 3 || operator === 18 || operator === 23;

export class CharstringCheck {
  private readonly maxStack: number;
  private readonly stack: Float64Array;
  private depth = 0;
  private budget: number;
  private readonly returns = new Uint32Array(2 * MAX_CALL_DEPTH);

  /** `regions` is the number of deltas that `blend` takes per default value, by vsindex. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly globalSubrs: CffIndex,
    private readonly isCff2: boolean,
    private readonly regions: readonly number[],
  ) {
    this.maxStack = isCff2 ? MAX_STACK_CFF2 : MAX_STACK;
    this.stack = new Float64Array(this.maxStack + 1);
    this.budget = Math.min(MAX_TOTAL_STEPS, BASE_STEPS + STEPS_PER_BYTE * bytes.length);
  }

  /** Runs the charstring of `glyph` from `start` to `end`. Throws RenderError if it is malformed. */
  run(start: number, end: number, font: LocalFont, glyph: number): void {
    const { bytes, returns, stack, isCff2 } = this;
    const malformed = (reason: string) => malformedFont(`the charstring of glyph ${glyph} ${reason}`);
    this.depth = 0;
    let at = start;
    let limit = end;
    let calls = 0;
    let stems = 0;
    let points = 0;
    let { vsindex } = font;
    const initialBudget = this.budget;
    for (;;) {
      if (at >= limit) {
        // CFF2 has no `return` and no `endchar`; in CFF, readers tolerate a missing one.
        if (calls === 0) break;
        limit = returns[--calls * 2 + 1];
        at = returns[calls * 2];
        continue;
      }
      if (--this.budget < 0) throw malformedFont('its charstrings call subroutines too often');
      if (initialBudget - this.budget > MAX_STEPS) throw malformed(`takes more than ${MAX_STEPS} steps`);
      let operator = bytes[at++];
      if (operator >= 32 || operator === 28) {
        if (this.depth >= this.maxStack) throw malformed(`has more than ${this.maxStack} operands at a time`);
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
        if (at > limit) throw malformed('is truncated');
        continue;
      }
      if (operator === 12) operator = 1200 + ((bytes[at++] ?? 0) % 100);
      if (operator === 10 || operator === 29) {
        const subrs = operator === 10 ? font.subrs : this.globalSubrs;
        if (this.depth === 0) throw malformed('calls a subroutine without a number');
        const count = subrs?.count ?? 0;
        const number = stack[--this.depth] + (count < 1240 ? 107 : count < 33900 ? 1131 : 32768);
        if (!subrs || !(number >= 0 && number < count)) throw malformed(`calls the subroutine ${number} of ${count}`);
        if (calls === MAX_CALL_DEPTH) throw malformed(`calls subroutines more than ${MAX_CALL_DEPTH} deep`);
        returns[calls * 2] = at;
        returns[calls++ * 2 + 1] = limit;
        at = subrs.offsetOf(number);
        limit = subrs.offsetOf(number + 1);
      } else if (operator === 11 && !isCff2) {
        if (calls === 0) break;
        limit = returns[--calls * 2 + 1];
        at = returns[calls * 2];
      } else if (operator === 14 && !isCff2) break;
      else if (operator === 15 && isCff2) {
        vsindex = this.depth > 0 ? stack[--this.depth] : -1;
        if (!(vsindex in this.regions)) throw malformed(`uses the unknown vsindex ${vsindex}`);
      } else if (operator === 16 && isCff2) {
        const values = this.depth > 0 ? stack[--this.depth] : 0;
        const deltas = values * (this.regions[vsindex] ?? 0);
        if (!(values >= 0) || deltas + values > this.depth) throw malformed('blends more operands than it has');
        this.depth -= deltas;
      } else if (operator === 19 || operator === 20) {
        stems += this.depth >> 1;
        at += (stems + 7) >> 3;
        if (at > limit) throw malformed('is truncated');
        this.depth = 0;
      } else if (operator > 1200 && operator < 1234) this.runArithmetic(operator, malformed);
      else {
        if (this.depth < MIN_OPERANDS[operator]) throw malformed('has an operator without its operands');
        if (isStem(operator)) stems += this.depth >> 1;
        else if (MIN_OPERANDS[operator] > 0) points += (this.depth + 1) >> 1;
        if (points > MAX_POINTS) throw malformed(`draws more than ${MAX_POINTS} points`);
        this.depth = 0;
      }
    }
  }

  /** Arithmetic operators, which only old converters emit. Storage, conditionals and random numbers are rejected: readers differ in which they support. */
  private runArithmetic(operator: number, malformed: (reason: string) => Error): void {
    const { stack } = this;
    const top = this.depth - 1;
    const arity = operator === 1209 || operator === 1214 || operator === 1218 || operator === 1227 ? 1 : 2;
    if (this.depth < arity) throw malformed('has an operator without its operands');
    const a = stack[top - 1];
    const b = stack[top];
    const replaceOperands = (value: number) => {
      this.depth -= arity;
      stack[this.depth++] = value;
    };
    if (operator === 1209) replaceOperands(Math.abs(b));
    else if (operator === 1210) replaceOperands(a + b);
    else if (operator === 1211) replaceOperands(a - b);
    else if (operator === 1212) replaceOperands(b === 0 ? 0 : a / b);
    else if (operator === 1214) replaceOperands(-b);
    else if (operator === 1218) this.depth--;
    else if (operator === 1224) replaceOperands(a * b);
    else if (operator === 1227) {
      if (this.depth >= this.maxStack) throw malformed(`has more than ${this.maxStack} operands at a time`);
      stack[this.depth++] = b;
    } else if (operator === 1228) {
      stack[top - 1] = b;
      stack[top] = a;
    } else throw malformed(`has the operator 12 ${operator - 1200}, which is not supported`);
  }
}
