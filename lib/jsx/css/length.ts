// Lengths and percentages in every unit, with calc(), min(), max() and clamp(), as pixels and a percentage.
import { functionOf, splitTop } from './tokens.js';

/** What units refer to. */
export interface Units {
  /** Pixels. */
  readonly fontSize: number;
  readonly rootFontSize: number;
  readonly canvas: { readonly width: number; readonly height: number };
}

export interface CssLength {
  readonly px: number;
  readonly percent: number;
}

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/i;

/** Pixels per inch. */
const INCH = 96;

/** Reads a length or a percentage; undefined for anything else, and for 0-less numbers without a unit. */
export function parseLength(value: string, units: Units): CssLength | undefined {
  const term = parseTerm(value.trim(), units, 0);
  if (!term || term.isNumber) return term?.px === 0 && term.isNumber ? { px: 0, percent: 0 } : undefined;
  return { px: term.px, percent: term.percent };
}

/** Reads a number, which calc() may say. */
export function parseNumber(value: string, units: Units): number | undefined {
  const term = parseTerm(value.trim(), units, 0);
  return term?.isNumber ? term.px : undefined;
}

interface Term extends CssLength {
  /** Whether it is a number without a unit, in `px`. */
  readonly isNumber: boolean;
}

const MAX_NESTING = 16;

function parseTerm(value: string, units: Units, depth: number): Term | undefined {
  if (depth > MAX_NESTING) return undefined;
  const match = NUMBER.exec(value);
  if (match) return inUnit(Number(match[1]), match[2].toLowerCase(), units);
  const call = functionOf(value.startsWith('(') ? `calc${value}` : value);
  if (!call) return undefined;
  const args = splitTop(call.args, ',').map((argument) => parseSum(argument, units, depth + 1));
  if (args.some((argument) => argument === undefined)) return undefined;
  const terms = args as Term[];
  switch (call.name) {
    case 'calc':
      return terms.length === 1 ? terms[0] : undefined;
    case 'min':
      return choose(terms, (numbers) => Math.min(...numbers));
    case 'max':
      return choose(terms, (numbers) => Math.max(...numbers));
    case 'clamp':
      return terms.length === 3
        ? choose(terms, ([least, wanted, most]) => Math.max(least, Math.min(wanted, most)))
        : undefined;
    default:
      return undefined;
  }
}

/** Compares what can be compared without layout: pixels, or percentages, or numbers. */
function choose(terms: readonly Term[], pick: (numbers: readonly number[]) => number): Term | undefined {
  const [first] = terms;
  if (terms.every(({ percent, isNumber }) => percent === 0 && isNumber === first.isNumber)) {
    return { px: pick(terms.map(({ px }) => px)), percent: 0, isNumber: first.isNumber };
  }
  if (terms.every(({ px, isNumber }) => px === 0 && !isNumber)) {
    return { px: 0, percent: pick(terms.map(({ percent }) => percent)), isNumber: false };
  }
  return undefined;
}

/** A sum of products: `50% - 2 * 8px`. Blanks are around + and -. */
function parseSum(text: string, units: Units, depth: number): Term | undefined {
  const words = splitTop(text.replaceAll('*', ' * ').replaceAll('/', ' / '), ' ');
  let sum: Term | undefined;
  let sign = 1;
  for (let i = 0; i < words.length; ) {
    let product = parseTerm(words[i++], units, depth);
    while (product && (words[i] === '*' || words[i] === '/')) {
      const other = words[i + 1] === undefined ? undefined : parseTerm(words[i + 1], units, depth);
      product = other && (words[i] === '*' ? multiply(product, other) : divide(product, other));
      i += 2;
    }
    if (!product || (sum && sum.isNumber !== product.isNumber)) return undefined;
    sum = {
      px: (sum?.px ?? 0) + sign * product.px,
      percent: (sum?.percent ?? 0) + sign * product.percent,
      isNumber: product.isNumber,
    };
    if (i === words.length) return sum;
    if (words[i] !== '+' && words[i] !== '-') return undefined;
    sign = words[i++] === '+' ? 1 : -1;
  }
  return undefined;
}

function multiply(one: Term, other: Term): Term | undefined {
  if (!one.isNumber && !other.isNumber) return undefined;
  const [factor, term] = one.isNumber ? [one.px, other] : [other.px, one];
  return { px: term.px * factor, percent: term.percent * factor, isNumber: term.isNumber };
}

function divide(one: Term, other: Term): Term | undefined {
  if (!other.isNumber || other.px === 0) return undefined;
  return { px: one.px / other.px, percent: one.percent / other.px, isNumber: one.isNumber };
}

function inUnit(value: number, unit: string, { fontSize, rootFontSize, canvas }: Units): Term | undefined {
  if (!Number.isFinite(value)) return undefined;
  const length = (pixels: number): Term => ({ px: pixels, percent: 0, isNumber: false });
  switch (unit) {
    case '':
      return { px: value, percent: 0, isNumber: true };
    case '%':
      return { px: 0, percent: value, isNumber: false };
    case 'px':
      return length(value);
    case 'em':
      return length(value * fontSize);
    case 'rem':
      return length(value * rootFontSize);
    // the advance of the digit 0 is not known here: CSS takes half of the size
    case 'ch':
    case 'ex':
      return length((value * fontSize) / 2);
    case 'vw':
    case 'dvw':
    case 'svw':
    case 'lvw':
      return length((value * canvas.width) / 100);
    case 'vh':
    case 'dvh':
    case 'svh':
    case 'lvh':
      return length((value * canvas.height) / 100);
    case 'vmin':
      return length((value * Math.min(canvas.width, canvas.height)) / 100);
    case 'vmax':
      return length((value * Math.max(canvas.width, canvas.height)) / 100);
    case 'pt':
      return length((value * INCH) / 72);
    case 'pc':
      return length((value * INCH) / 6);
    case 'in':
      return length(value * INCH);
    case 'cm':
      return length((value * INCH) / 2.54);
    case 'mm':
      return length((value * INCH) / 25.4);
    case 'q':
      return length((value * INCH) / 101.6);
    default:
      return undefined;
  }
}

/** Writes lengths of a value as pixels, where they are in other units: those in functions too. */
export function inPixels(value: string, units: Units): string {
  const isPlain = !/[\d.](?:em|rem|ch|ex|v[wh]|vmin|vmax|[sdl]v[wh]|pt|pc|in|cm|mm|q)\b|calc\(/i.test(value);
  if (isPlain) return value;
  const resolved = value.replace(
    /(^|[\s,(/])([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(em|rem|ch|ex|[sdl]?v[wh]|vmin|vmax|pt|pc|in|cm|mm|q)\b/gi,
    (_, before: string, number: string, unit: string) =>
      `${before}${written(inUnit(Number(number), unit.toLowerCase(), units)!.px)}px`,
  );
  return resolved.replace(/calc\((?:[^()]|\([^()]*\))*\)/gi, (call) => {
    const term = parseLength(call, units);
    if (!term || (term.px !== 0 && term.percent !== 0)) return call;
    return term.percent === 0 ? `${written(term.px)}px` : `${written(term.percent)}%`;
  });
}

const DECIMALS = 1e4;

/** A number without the noise of floating point. */
export function rounded(value: number): number {
  const number = Math.round(value * DECIMALS) / DECIMALS;
  return number === 0 ? 0 : number;
}

function written(value: number): string {
  return String(rounded(value));
}
