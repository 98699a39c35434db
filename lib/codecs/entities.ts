// The entities that an XML file's DOCTYPE declares as plain text, put in where they stand: drawing programs write namespaces
// and styles so. Those made of others, of markup, or of files stay unknown: nothing grows by more than what is put in.
import { unsupported } from './broken.js';

/** Characters put in, in all. Drawing programs put in some thousand. */
const MAX_EXPANDED = 2 ** 20;

/** Gives text with its entities put in; throws RenderError when that is too much. */
export type Expand = (text: string) => string;

const DECLARATION = /<!ENTITY\s+([\w:.-]+)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/g;

export function entitiesOf(doctype: string): Expand {
  const values = new Map<string, string>();
  for (const [, name, one, other] of doctype.matchAll(DECLARATION)) {
    // of two declarations the first holds
    if (!values.has(name)) values.set(name, quoted(one ?? other));
  }
  if (values.size === 0) return (text) => text;
  let expanded = 0;
  return (text) =>
    text.replace(/&([\w:.-]+);/g, (reference, name) => {
      const value = values.get(name);
      if (value === undefined) return reference;
      expanded += value.length;
      if (expanded > MAX_EXPANDED) throw unsupported('svg', 'its entities stand for too much text');
      return value;
    });
}

/** So that it ends no attribute and begins no element. */
function quoted(text: string): string {
  return text.replaceAll('"', '&quot;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');
}
