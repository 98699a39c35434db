// Functions that write values as readers of the payload's locale expect them.
import { closestMatch, didYouMean } from '../../contract/messages/closest-match.js';
import { DATE_STYLES } from '../../locale/formatter.js';
import { type DateFields, parseIsoDate } from '../../locale/iso-date.js';
import { SKELETON_LETTERS } from '../../locale/skeleton.js';
import { fieldOf, isRecord, textOf, type Value } from '../value.js';
import {
  argumentError,
  type Call,
  type Definition,
  define,
  listArgument,
  made,
  numberArgument,
  textArgument,
  wholeArgument,
} from './definition.js';

const MAX_DECIMALS = 20;

const decimalsArgument = (value: Value | undefined, call: Call) =>
  value === undefined ? undefined : wholeArgument(value, [0, MAX_DECIMALS], call);

function currencyArgument(value: Value, call: Call): string {
  if (typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)) return value;
  throw argumentError(call, value, 'the code of a currency such as EUR');
}

function dateArgument(value: Value, call: Call): DateFields {
  const fields = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (fields) return fields;
  throw argumentError(call, value, 'a date of ISO 8601 such as 2026-01-31 or 2026-01-31T12:00:00Z');
}

const EXPECTED_FORMAT = `one of ${DATE_STYLES.join(', ')}, or a skeleton of the letters ${SKELETON_LETTERS} such as yMMMd`;
const KINDS = ['and', 'or'] as const;

export const LOCALE_FUNCTIONS = {
  number: define([1, 2], ([value, decimals], call) => {
    return made(call.locale().number(numberArgument(value, call), decimalsArgument(decimals, call)), call);
  }),
  percent: define([1, 2], ([value, decimals], call) => {
    return made(call.locale().percent(numberArgument(value, call), decimalsArgument(decimals, call)), call);
  }),
  compact: define([1, 1], ([value], call) => made(call.locale().compact(numberArgument(value, call)), call)),
  currency: define([2, 2], ([value, code], call) => {
    return made(call.locale().amount(numberArgument(value, call), currencyArgument(code, call)), call);
  }),
  unit: define([2, 2], ([value, name], call) => {
    const unit = textArgument(name, call);
    const text = call.locale().unit(numberArgument(value, call), unit);
    if (text !== undefined) return made(text, call);
    const meant = closestMatch(unit, call.locale().units);
    const hint = meant === undefined ? '' : didYouMean(meant);
    throw argumentError(call, name, `a unit such as kilometer or liter-per-kilometer${hint}`);
  }),
  date: define([1, 2], ([value, format = 'medium'], call) => {
    const text = typeof format === 'string' ? call.locale().date(dateArgument(value, call), format) : undefined;
    if (text === undefined) throw argumentError(call, format, EXPECTED_FORMAT);
    return made(text, call);
  }),
  relative: define([2, 2], ([value, from], call) => {
    return made(call.locale().relative(dateArgument(value, call), dateArgument(from, call)), call);
  }),
  plural: define([2, 2], ([value, texts], call) => {
    if (!isRecord(texts)) throw argumentError(call, texts, 'an object such as {"one": "day", "other": "days"}');
    const form = call.locale().plural(numberArgument(value, call));
    return fieldOf(texts, form) ?? fieldOf(texts, 'other');
  }),
  list: define([1, 2], ([value, kind = 'and'], call) => {
    const choice = KINDS.find((each) => each === kind);
    if (choice === undefined) throw argumentError(call, kind, '"and" or "or"');
    const texts = listArgument(value, call).map((each) => {
      if (textOf(each) === undefined) throw argumentError(call, each, 'a list of texts');
      return textArgument(each, call);
    });
    return made(call.locale().list(texts, choice), call);
  }),
} satisfies Record<string, Definition>;
