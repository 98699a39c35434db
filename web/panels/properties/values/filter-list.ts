// Reads and writes CSS filter lists as lists of functions: `blur(4px) saturate(1.5)`.

export interface FilterFunction {
  readonly name: string;
  /** The text in the brackets. */
  readonly args: string;
}

/** The functions with their initial arguments. */
export const FILTERS: Readonly<Record<string, string>> = {
  blur: '4px',
  brightness: '1.2',
  contrast: '1.2',
  'drop-shadow': '0 4px 8px rgb(0 0 0 / 40%)',
  grayscale: '1',
  'hue-rotate': '90deg',
  invert: '1',
  opacity: '0.5',
  saturate: '1.5',
  sepia: '1',
};

/** Parses a filter list; undefined for other text, which can be edited as text. */
export function parseFilters(text: string): readonly FilterFunction[] | undefined {
  const functions: FilterFunction[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [, name] = /^([a-z-]+)\(/i.exec(rest) ?? [];
    const end = name === undefined ? -1 : closing(rest, name.length);
    if (name === undefined || end < 0) return undefined;
    functions.push({ name: name.toLowerCase(), args: rest.slice(name.length + 1, end).trim() });
    rest = rest.slice(end + 1).trim();
  }
  return functions;
}

/** Finds the bracket that closes the one at `start`; −1 if there is none. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

export const filterText = (functions: readonly FilterFunction[]): string =>
  functions.map(({ name, args }) => `${name}(${args})`).join(' ');
