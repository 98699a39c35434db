// CSS lists of families, as the font picker reads and writes them.
import { parseFamilyList } from '../../../../lib/contract/css/font-family.js';

/** The known family that `list` names first, alone or in a CSS list, ignoring case. */
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

/** `list` with `family` as its first one: the others of a list stay. */
export function withFirstFamily(list: string | undefined, family: string): string {
  const [, ...others] = parseFamilyList(list ?? '');
  if (others.length === 0) return family;
  const written = others
    .filter(({ name }) => name.toLowerCase() !== family.toLowerCase())
    .map(({ name, isQuoted }) => (isQuoted ? quoted(name) : name));
  return [/^[\w -]+$/.test(family) ? family : quoted(family), ...written].join(', ');
}

/** A name as a CSS string. */
function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`;
}
