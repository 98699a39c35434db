// Compares what runtimes made of the same cases.

/** The result of a runtime for a case. */
export interface Result {
  readonly name: string;
  /** Width, height and SHA-256 of the pixels. */
  readonly pixels?: string;
  /** Warnings, one per line. */
  readonly warnings?: string;
  /** Format and SHA-256 of the encoded file. */
  readonly encoded?: string;
  /** Output of a command, in place of the others: everything that it printed and wrote. */
  readonly output?: string;
  /** In place of the others: the render's error, code and message. */
  readonly error?: string;
  /** If asked for, and not too large: the pixels themselves. */
  readonly picture?: { readonly width: number; readonly height: number; readonly base64: string };
}

/** The compared aspects, with their names in reports. */
const ASPECTS = [
  ['pixels', 'pixels'],
  ['encoded', 'file'],
  ['warnings', 'warnings'],
  ['error', 'error'],
  ['output', 'output'],
] as const;

export interface Difference {
  readonly name: string;
  /** `pixels, file`; what is implied is left out. */
  readonly what: string;
  /** The two texts, if it is a text that differs. */
  readonly texts?: readonly [expected: string, actual: string];
}

/** Every case of the reference that another runtime renders differently, or not at all. */
export function compare(reference: ReadonlyMap<string, Result>, actual: ReadonlyMap<string, Result>): Difference[] {
  return [...reference.values()].flatMap((expected) => differenceOf(expected, actual.get(expected.name)) ?? []);
}

function differenceOf(expected: Result, actual: Result | undefined): Difference | undefined {
  const { name } = expected;
  if (!actual) return { name, what: 'no result' };
  const aspects = ASPECTS.filter(([aspect]) => expected[aspect] !== actual[aspect]);
  if (aspects.length === 0) return undefined;
  if (expected.error !== undefined || actual.error !== undefined) {
    return { name, what: 'error', texts: [expected.error ?? 'none', actual.error ?? 'none'] };
  }
  const textOf = ({ warnings, output = warnings }: Result) => output ?? '';
  const texts = [textOf(expected), textOf(actual)] as const;
  // other pixels are other files
  const shown = aspects.filter(([aspect]) => aspect !== 'encoded' || expected.pixels === actual.pixels);
  return { name, what: shown.map(([, label]) => label).join(', '), ...(texts[0] !== texts[1] && { texts }) };
}
