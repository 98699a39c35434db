// Numbers as decimal figures: rounding happens on the figures that JavaScript prints, as ICU does it, not on binary fractions.

/** The value is `0.FIGURES` times ten to the power of `point`; `figures` neither begins nor ends with a zero. */
export interface Decimal {
  readonly isNegative: boolean;
  readonly figures: string;
  readonly point: number;
}

/** Figures before and behind the decimal point. The integer part has at least one. */
export interface Figures {
  readonly integer: string;
  readonly fraction: string;
}

export function decimalOf(value: number): Decimal {
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e');
  const [integer, fraction = ''] = mantissa.split('.');
  const isNegative = value < 0 || Object.is(value, -0);
  return trimmed(isNegative, integer + fraction, integer.length + Number(exponent));
}

/** Multiplies by a power of ten. */
export function shifted(decimal: Decimal, places: number): Decimal {
  return decimal.figures === '' ? decimal : { ...decimal, point: decimal.point + places };
}

/** Rounds to a number of decimals; halves away from zero. */
export function rounded(decimal: Decimal, decimals: number): Decimal {
  const { isNegative, figures, point } = decimal;
  const end = point + decimals;
  if (end >= figures.length) return decimal;
  const isUp = end >= 0 && figures[end] >= '5';
  // a zero in front takes what is carried
  const head = `0${figures.slice(0, Math.max(0, end))}`;
  return trimmed(isNegative, isUp ? incremented(head) : head, (end < 0 ? 0 : point) + 1);
}

/** The figures with at least `minimum` decimals. */
export function figuresOf({ figures, point }: Decimal, minimum = 0): Figures {
  const integer = figures.slice(0, Math.max(0, point)).padEnd(point, '0');
  const fraction = '0'.repeat(Math.max(0, -point)) + figures.slice(Math.max(0, point));
  return { integer: integer || '0', fraction: fraction.padEnd(minimum, '0') };
}

function trimmed(isNegative: boolean, figures: string, point: number): Decimal {
  const significant = figures.replace(/^0+/, '');
  let end = significant.length;
  while (significant[end - 1] === '0') end--;
  if (end === 0) return { isNegative, figures: '', point: 0 };
  return { isNegative, figures: significant.slice(0, end), point: point - (figures.length - significant.length) };
}

/** The figures of a whole number plus one, with as many figures; the first is no nine. */
function incremented(figures: string): string {
  let end = figures.length;
  while (figures[end - 1] === '9') end--;
  return figures.slice(0, end - 1) + String(Number(figures[end - 1]) + 1) + '0'.repeat(figures.length - end);
}
