// The error of an expression, before it is known where the expression stands.

export class ExpressionError extends Error {
  /** `at`: index of the fault in the expression's text. */
  constructor(
    readonly at: number,
    message: string,
    /** Whether a bound is exceeded, so that nothing may go on. */
    readonly isLimit = false,
  ) {
    super(message);
  }
}

/** The expression with its fault: `in {{= a / b }}, column 7: …`. `column` counts in the whole string, from 1. */
export function faultMessage(source: string, column: number, message: string): string {
  const line = source.trim().replace(/\s+/g, ' ');
  const quoted = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1)}…` : line;
  return `in {{= ${quoted} }}, column ${column}: ${message}`;
}

/** Characters of an expression that messages repeat. */
const MAX_QUOTED = 80;
