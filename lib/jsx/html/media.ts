// Media queries (Media Queries 4) against the canvas.
import { parseLength } from '../css/length.js';
import { splitTop } from '../css/tokens.js';

interface Canvas {
  readonly width: number;
  readonly height: number;
}

/** Whether a list of queries holds; `reject` receives the parts that are not known, which don't. */
export function mediaMatches(list: string, canvas: Canvas, reject: (part: string) => void): boolean {
  const text = list
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .trim()
    .toLowerCase();
  if (text === '') return true;
  return splitTop(text, ',').some((query) => queryMatches(query, canvas, reject));
}

function queryMatches(query: string, canvas: Canvas, reject: (part: string) => void): boolean {
  const match = /^(?:(not|only)\s+)?([a-z-]+)(?:\s+and\s+(.+))?$/s.exec(query);
  if (match && match[2] !== 'not') {
    const [, modifier, type, rest] = match;
    const isType = type === 'all' || type === 'screen';
    const holds = isType && (rest === undefined || conditionMatches(rest, canvas, reject) === true);
    return modifier === 'not' ? !holds : holds;
  }
  return conditionMatches(query, canvas, reject) === true;
}

/** A condition holds, does not hold, or is not known, which `not` does not turn. */
function conditionMatches(text: string, canvas: Canvas, reject: (part: string) => void): boolean | undefined {
  const words = splitTop(text.replace(/\)(?=\S)/g, ') '), ' ');
  if (words[0] === 'not') {
    const inner = words.length === 2 ? groupMatches(words[1], canvas, reject) : undefined;
    return inner === undefined ? undefined : !inner;
  }
  const parts = words.filter((_, i) => i % 2 === 0);
  const joints = new Set(words.filter((_, i) => i % 2 === 1));
  const [joint = 'and'] = joints;
  if (joints.size > 1 || (joint !== 'and' && joint !== 'or') || words.length % 2 === 0) {
    reject(text);
    return undefined;
  }
  const values = parts.map((part) => groupMatches(part, canvas, reject));
  if (joint === 'and') return values.includes(false) ? false : values.includes(undefined) ? undefined : true;
  return values.includes(true) ? true : values.includes(undefined) ? undefined : false;
}

function groupMatches(text: string, canvas: Canvas, reject: (part: string) => void): boolean | undefined {
  const inner = /^\((.*)\)$/s.exec(text)?.[1].trim();
  if (inner === undefined) {
    reject(text);
    return undefined;
  }
  if (/^(?:\(|not\b)/.test(inner)) return conditionMatches(inner, canvas, reject);
  const value = featureMatches(inner, canvas);
  if (value === undefined) reject(text);
  return value;
}

const COMPARE: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '=': (one, other) => one === other,
};

function featureMatches(feature: string, canvas: Canvas): boolean | undefined {
  const plain = /^(min-|max-)?([a-z-]+)\s*:\s*(.+)$/.exec(feature);
  if (plain)
    return compareFeature(plain[2], plain[1] === 'min-' ? '>=' : plain[1] === 'max-' ? '<=' : '=', plain[3], canvas);
  const range = /^([a-z-]+)\s*(<=?|>=?|=)\s*([^<>=]+)$/.exec(feature);
  if (range) return compareFeature(range[1], range[2], range[3], canvas);
  const between = /^([^<>=]+?)\s*(<=?|>=?)\s*([a-z-]+)\s*(?:(<=?|>=?)\s*([^<>=]+))?$/.exec(feature);
  if (between) {
    const [, first, operator, name, second, last] = between;
    const flipped = operator.replace(/[<>]/, (sign) => (sign === '<' ? '>' : '<'));
    const low = compareFeature(name, flipped, first, canvas);
    const high = last === undefined ? true : compareFeature(name, second, last, canvas);
    return low === undefined || high === undefined ? undefined : low && high;
  }
  const value = amountOf(feature, canvas);
  if (value !== undefined) return value !== 0;
  const word = WORDS[feature];
  return word === undefined ? undefined : word !== 'none' && word !== 'no-preference';
}

/** What a picture on a light page has. */
const WORDS: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'prefers-contrast': 'no-preference',
  'forced-colors': 'none',
  hover: 'none',
  pointer: 'none',
  'any-hover': 'none',
  'any-pointer': 'none',
  scripting: 'none',
  update: 'none',
  'display-mode': 'browser',
  'color-gamut': 'srgb',
};

function amountOf(name: string, { width, height }: Canvas): number | undefined {
  switch (name) {
    case 'width':
    case 'device-width':
      return width;
    case 'height':
    case 'device-height':
      return height;
    case 'aspect-ratio':
      return width / height;
    case 'resolution':
    case '-webkit-device-pixel-ratio':
      return 1;
    case 'color':
      return 8;
    case 'monochrome':
    case 'grid':
      return 0;
    default:
      return undefined;
  }
}

function compareFeature(name: string, operator: string, text: string, canvas: Canvas): boolean | undefined {
  const value = text.trim();
  if (name === 'orientation') return (canvas.width > canvas.height ? 'landscape' : 'portrait') === value;
  if (name in WORDS) return WORDS[name] === value;
  const actual = amountOf(name, canvas);
  const wanted = numberOf(name, value, canvas);
  return actual === undefined || wanted === undefined ? undefined : COMPARE[operator](actual, wanted);
}

function numberOf(name: string, value: string, canvas: Canvas): number | undefined {
  const ratio = /^([\d.]+)\s*(?:\/\s*([\d.]+))?$/.exec(value);
  if (ratio && !/width|height/.test(name)) return Number(ratio[1]) / Number(ratio[2] ?? 1);
  const dots = /^([\d.]+)(dppx|x|dpi|dpcm)$/.exec(value);
  if (dots) return Number(dots[1]) / (dots[2] === 'dpi' ? 96 : dots[2] === 'dpcm' ? 96 / 2.54 : 1);
  const length = parseLength(value, { fontSize: 16, rootFontSize: 16, canvas });
  return length && length.percent === 0 ? length.px : undefined;
}
