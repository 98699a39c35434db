// CSS filter lists as lists of functions: `blur(4px) saturate(1.5)`.

export interface FilterFunction {
  readonly name: string;
  /** What stands in the brackets. */
  readonly args: string;
}

/** The functions with what they get when they are added. */
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

/** Undefined for what is not a list of functions; it can be edited as a text. */
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

/** Where the bracket that opens at `start` closes; −1 if it does not. */
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
