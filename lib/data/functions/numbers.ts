// Functions of numbers.
import { roundDecimal } from '../../contract/template/format-value.js';
import { ExpressionError } from '../error.js';
import { isList, type Value } from '../value.js';
import {
  argumentError,
  type Call,
  type Definition,
  define,
  listArgument,
  numberArgument,
  wholeArgument,
} from './definition.js';

/** Numbers in JSON's notation, with an optional plus. */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** A function from number to number. */
const mapping = (map: (number: number) => number): Definition =>
  define([1, 1], ([number], call) => map(numberArgument(number, call)) + 0);

/** A function of several numbers, or of one list of them. */
const folding = (fold: (numbers: readonly number[]) => number | null): Definition =>
  define([1, Infinity], (args, call) => {
    const numbers = numbersOf(args, call);
    const result = fold(numbers);
    if (result !== null && !Number.isFinite(result)) {
      throw new ExpressionError(call.at, `the result of ${call.name} is ${result}, expected a finite number`);
    }
    return result;
  });

function numbersOf(args: readonly Value[], call: Call): number[] {
  const [first] = args;
  const values = args.length === 1 && (isList(first) || first === null) ? listArgument(first, call) : args;
  return values.map((value) => numberArgument(value, call));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
/** Without spread arguments, which overflow the stack for long lists. */
const least = (numbers: readonly number[]) => numbers.reduce((found, number) => (number < found ? number : found));

export const NUMBER_FUNCTIONS = {
  double: define([1, 1], ([value], call) => {
    if (value === null || typeof value === 'number') return value;
    const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : Number.NaN;
    if (!Number.isFinite(number)) throw argumentError(call, value, 'a number');
    return number;
  }),
  min: folding((numbers) => (numbers.length === 0 ? null : least(numbers))),
  max: folding((numbers) => (numbers.length === 0 ? null : -least(numbers.map((number) => -number)))),
  sum: folding(sum),
  avg: folding((numbers) => (numbers.length === 0 ? null : sum(numbers) / numbers.length)),
  round: define([1, 2], ([number, decimals = 0], call) => {
    const rounded = roundDecimal(String(numberArgument(number, call)), wholeArgument(decimals, [0, 20], call));
    return Number(rounded);
  }),
  abs: mapping(Math.abs),
  floor: mapping(Math.floor),
  ceil: mapping(Math.ceil),
} satisfies Record<string, Definition>;
