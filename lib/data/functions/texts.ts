// Functions of texts.
import { lowercase, titlecase, uppercase } from '../../unicode/case-mapping.js';
import { withoutMarks } from '../../unicode/decomposition.js';
import { graphemesOf } from '../../unicode/graphemes.js';
import { wordsOf } from '../../unicode/words.js';
import { isList, isRecord, type Value } from '../value.js';
import {
  argumentError,
  type Call,
  type Definition,
  define,
  joined,
  listArgument,
  made,
  textArgument,
  wholeArgument,
} from './definition.js';

/** A function from text to text. */
const mapping = (map: (text: string) => string): Definition =>
  define([1, 1], ([text], call) => made(map(textArgument(text, call)), call));

export const TEXT_FUNCTIONS = {
  string: mapping((text) => text),
  upper: mapping(uppercase),
  lower: mapping(lowercase),
  title: mapping((text) => wordsOf(text).map(capitalized).join('')),
  slug: mapping(slug),
  truncate: define([2, 2], ([text, count], call) => {
    const max = wholeArgument(count, [1, 1_000_000], call);
    const graphemes = graphemesOf(textArgument(text, call));
    return made(graphemes.length <= max ? graphemes.join('') : `${graphemes.slice(0, max - 1).join('')}…`, call);
  }),
  default: define([2, 2], ([value, other]) => (value === null || value === '' ? other : value)),
  size: define([1, 1], ([value], call) => size(value, call)),
} satisfies Record<string, Definition>;

function capitalized(word: string): string {
  const [first = ''] = word;
  return titlecase(first) + word.slice(first.length);
}

function slug(text: string): string {
  const words = lowercase(withoutMarks(text)).split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '').join('-');
}

/** Entries of a list, fields of an object or characters of a text; none in null. */
function size(value: Value, call: Call): number {
  if (value === null) return 0;
  if (isList(value)) return value.length;
  if (isRecord(value)) {
    const { length } = Object.keys(value);
    call.budget.step(call.at, length);
    return length;
  }
  if (typeof value !== 'string') throw argumentError(call, value, 'a text, a list or an object');
  call.budget.read(call.at, value);
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** A method of a text with one text as argument. */
const withText = (run: (text: string, other: string, call: Call) => Value): Definition =>
  define([1, 1], ([text, other], call) => run(receiver(text, call), textArgument(other, call), call));

function receiver(value: Value, call: Call): string {
  if (typeof value !== 'string') throw argumentError(call, value, 'a text before it');
  return textArgument(value, call);
}

/** The first argument is the value before the dot. */
export const TEXT_METHODS = {
  contains: withText((text, other, call) => {
    call.budget.step(call.at, Math.ceil(text.length / 16));
    return text.includes(other);
  }),
  startsWith: withText((text, other) => text.startsWith(other)),
  endsWith: withText((text, other) => text.endsWith(other)),
  split: withText((text, separator, call) => {
    const parts = separator === '' ? Array.from(text) : text.split(separator);
    call.budget.list(call.at, parts.length);
    return parts;
  }),
  join: define([0, 1], ([list, separator = ''], call) => {
    return joined(listArgument(list, call), textArgument(separator, call), call.at, call.budget);
  }),
  replace: define([2, 2], ([text, from, to], call) => {
    const [whole, searched, replacement] = [receiver(text, call), textArgument(from, call), textArgument(to, call)];
    if (searched === '') return whole;
    const parts = whole.split(searched);
    call.budget.make(call.at, whole.length + (parts.length - 1) * (replacement.length - searched.length));
    return parts.join(replacement);
  }),
  trim: define([0, 0], ([text], call) => made(receiver(text, call).trim(), call)),
  size: define([0, 0], ([value], call) => size(value, call)),
} satisfies Record<string, Definition>;
