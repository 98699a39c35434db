// Checks the options of the library's functions: callers without types may give them any value. An option that is undefined
// is absent.

import { formatReceived } from './contract/json/describe.js';
import { MAX_ALT_LENGTH } from './contract/layers/limits.js';
import { MAX_DPI, MAX_SCALE, MIN_DPI, MIN_SCALE } from './contract/layers/output-size.js';
import { unknownOption } from './contract/messages/closest-match.js';
import { FINDING_CODES, MAX_MIN_READABLE, SAFE_AREAS, type SafeAreaName } from './contract/messages/findings.js';
import { RenderError } from './errors.js';
import { isLanguageTag } from './locale/tag.js';
import type { CommonOptions, InspectOptions, RenderOptions, RenderResult } from './options.js';

/** What an option may be. */
interface Rule {
  /** In messages, after "expected". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const FORMATS: readonly RenderResult['format'][] = ['png', 'jpeg', 'webp', 'avif', 'svg', 'pdf'];
/** Timers take 31 bits. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

const number = (min: number, max: number): Rule => ({
  expected: `a number from ${min} to ${max}`,
  accepts: (value) => typeof value === 'number' && value >= min && value <= max,
});

const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER): Rule => ({
  expected:
    max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
});

const text = (expected: string): Rule => ({ expected, accepts: (value) => typeof value === 'string' });

/** A value of callers' own classes, or of another realm, has the same members. */
const objectWith = (member: string, expected: string): Rule => ({
  expected,
  accepts: (value) => typeof value === 'object' && value !== null && member in value,
});

/** Options whose values other code does not check. */
const RULES: Readonly<Record<string, Rule>> = {
  assetTimeoutMs: wholeNumber(1, MAX_MILLISECONDS),
  assetMaxBytes: wholeNumber(1),
  assetMaxPixels: wholeNumber(1),
  timeoutMs: wholeNumber(1, MAX_MILLISECONDS),
  maxLayers: wholeNumber(0),
  maxExpandedLayers: wholeNumber(0),
  imageCacheBytes: wholeNumber(0),
  images: { expected: 'an object of files by name', accepts: (value) => typeof value === 'object' && value !== null },
  workers: wholeNumber(0, 1024),
  baseDirectory: text('the path of a folder'),
  allowHosts: {
    expected: 'an array of hosts',
    accepts: (value) => Array.isArray(value) && value.every((host) => typeof host === 'string'),
  },
  fonts: { expected: 'an array of fonts', accepts: Array.isArray },
  icons: { expected: 'an array of sets of icons', accepts: Array.isArray },
  format: {
    expected: `one of ${FORMATS.join(', ')}`,
    accepts: (value) => value === 'jpg' || FORMATS.includes(value as RenderResult['format']),
  },
  quality: number(1, 100),
  dpi: number(MIN_DPI, MAX_DPI),
  scale: number(MIN_SCALE, MAX_SCALE),
  lossless: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  size: text('the name of a size'),
  theme: text('the name of a theme'),
  locale: { expected: 'a language tag such as de-CH', accepts: isLanguageTag },
  alt: {
    expected: `a text of at most ${MAX_ALT_LENGTH} characters`,
    accepts: (value) => typeof value === 'string' && value.length <= MAX_ALT_LENGTH,
  },
  findings: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  minReadable: number(1, MAX_MIN_READABLE),
  safeArea: {
    expected: `one of ${SAFE_AREAS.join(', ')}`,
    accepts: (value) => SAFE_AREAS.includes(value as SafeAreaName),
  },
  ignore: {
    expected: 'an array of codes of findings',
    accepts: (value) => Array.isArray(value) && value.every((code) => FINDING_CODES.includes(code)),
  },
  signal: objectWith('aborted', 'an AbortSignal'),
  fetch: { expected: 'a function', accepts: (value) => typeof value === 'function' },
  onPage: { expected: 'a function', accepts: (value) => typeof value === 'function' },
} satisfies Partial<Record<keyof (CommonOptions & RenderOptions & InspectOptions) | OwnOption, Rule>>;

/** Options of single entries: of Node's library, or of those for browsers. */
type OwnOption = 'onPage' | 'workers' | 'baseDirectory' | 'allowHosts' | 'fonts' | 'icons' | 'fetch';

/** The names of all options. Other code checks the values of those that have no rule. */
const NAMES: readonly string[] = [
  ...Object.keys(RULES),
  ...(['variables', 'tokens', 'strict', 'allow'] satisfies (keyof RenderOptions)[]),
  ...['fontsUrl', 'wasmUrl', 'wasm', 'workerUrl', 'transfer'],
];

/** The options that are not undefined. Throws RenderError `invalid_request`, which names the first bad or unknown one. */
export function normalizeOptions<Options extends object>(options: Options): Options {
  if (typeof options !== 'object' || options === null) throw optionError('options', options, 'an object');
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    const rule = RULES[name];
    if (rule && !rule.accepts(value)) throw optionError(name, value, rule.expected);
    if (!NAMES.includes(name)) throw new RenderError('invalid_request', unknownOption(name, NAMES));
  }
  return Object.fromEntries(entries) as Options;
}

/** The error of an option's value. */
export function optionError(name: string, received: unknown, expected: string): RenderError {
  return new RenderError('invalid_request', `${name}: received ${formatReceived(received)}, expected ${expected}`);
}
