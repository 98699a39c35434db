// The plural form of a number, by the rules of CLDR, such as `v = 0 and i % 10 = 2..4 and i % 100 != 12..14`.
import type { Figures } from './decimal.js';

/** The rule of each form but `other`. */
export type PluralRules = Readonly<Record<string, string>>;

/** A text for each form, or one for all. */
export type PluralTexts = string | Readonly<Record<string, string>>;

/** Chooses the text of a form. */
export function textOf(texts: PluralTexts, form: string): string {
  return typeof texts === 'string' ? texts : (texts[form] ?? texts.other);
}

/** The form of a number that is written with these figures. */
export function pluralForm(rules: PluralRules, figures: Figures): string {
  const operands = operandsOf(figures);
  for (const [form, rule] of Object.entries(rules)) {
    if (rule.split(' or ').some((part) => part.split(' and ').every((relation) => holds(relation, operands))))
      return form;
  }
  return 'other';
}

type Operands = Readonly<Record<string, number>>;

/**
 * The names of CLDR: `n` the number, `i` its integer part, `v` and `f` the visible decimals, `w` and `t` without zeros behind. As in
 * ICU, the exponents `c` and `e` are 0 for short numbers, too.
 */
function operandsOf({ integer, fraction }: Figures): Operands {
  const short = fraction.replace(/0+$/, '');
  return {
    n: Number(`${integer}.${fraction || '0'}`),
    i: Number(integer),
    v: fraction.length,
    w: short.length,
    f: Number(fraction),
    t: Number(short),
    c: 0,
    e: 0,
  };
}

const RELATION = /^([a-z])(?: % (\d+))? (!?=) (.+)$/;

function holds(relation: string, operands: Operands): boolean {
  const match = RELATION.exec(relation.trim());
  if (match === null) throw new Error(`a plural rule has the relation ${relation}`);
  const [, name, divisor, operator, ranges] = match;
  const value = divisor === undefined ? operands[name] : operands[name] % Number(divisor);
  const isIn = ranges.split(',').some((range) => {
    const [from, to = from] = range.split('..').map(Number);
    return from === to ? value === from : Number.isInteger(value) && value >= from && value <= to;
  });
  return isIn === (operator === '=');
}
