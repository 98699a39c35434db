// Expands the entities that an XML DOCTYPE declares as plain text; drawing programs declare namespaces and styles this
// way. Entities that contain other entities, markup or external files stay unexpanded, so expansion is linear.
import { unsupported } from '../errors.js';

/** Maximum characters inserted in total. Drawing programs insert some thousand. */
const MAX_EXPANDED = 2 ** 20;

/** Expands the entities in a text. Throws RenderError if the expansion is too long. */
export type Expand = (text: string) => string;

const DECLARATION = /<!ENTITY\s+([\w:.-]+)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/g;

export function entityExpander(doctype: string): Expand {
  const values = new Map<string, string>();
  for (const [, name, one, other] of doctype.matchAll(DECLARATION)) {
    // the first of several declarations applies
    if (!values.has(name)) values.set(name, escapeText(one ?? other));
  }
  if (values.size === 0) return (text) => text;
  let expanded = 0;
  return (text) =>
    text.replace(/&([\w:.-]+);/g, (reference, name) => {
      const value = values.get(name);
      if (value === undefined) return reference;
      expanded += value.length;
      if (expanded > MAX_EXPANDED) throw unsupported('svg', 'its entities expand to too much text');
      return value;
    });
}

/** Escapes characters that would end an attribute or start an element. */
function escapeText(text: string): string {
  return text.replaceAll('"', '&quot;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');
}
