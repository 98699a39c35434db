// Reads and writes CSS lists of families for the font picker.
import { parseFamilyList } from '../../../../lib/contract/css/font-family.js';

/** Finds the first known family in `list`, a single name or a CSS list, ignoring case. */
export function firstKnown<Family extends { readonly family: string }>(
  list: string,
  known: readonly Family[],
): Family | undefined {
  for (const { name } of [{ name: list }, ...parseFamilyList(list)]) {
    const wanted = name.trim().toLowerCase();
    const found = known.find(({ family }) => family.toLowerCase() === wanted);
    if (found) return found;
  }
  return undefined;
}

/** Replaces the first family of `list`; the others stay. */
export function withFirstFamily(list: string | undefined, family: string): string {
  const [, ...others] = parseFamilyList(list ?? '');
  if (others.length === 0) return family;
  const written = others
    .filter(({ name }) => name.toLowerCase() !== family.toLowerCase())
    .map(({ name, isQuoted }) => (isQuoted ? quoted(name) : name));
  return [/^[\w -]+$/.test(family) ? family : quoted(family), ...written].join(', ');
}

/** Writes a name as a CSS string. */
function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`;
}
