// Decodes an XML file's text (BOM, declared encoding) and finds its root element after the declaration, comments and
// DOCTYPE. Loads nothing external; entityExpander expands what a DOCTYPE declares.
// Expands the entities that an XML DOCTYPE declares as plain text; drawing programs declare namespaces and styles this
// way. Entities that contain other entities, markup or external files stay unexpanded, so expansion is linear.
import { unsupported } from '../errors.js';

/** Offset of the root element's tag, and the range of the DOCTYPE if there is one. */
export interface Prolog {
  readonly root: number;
  readonly doctype?: { readonly start: number; readonly end: number };
}

/**
 * The characters 0x80 to 0x9f of windows-1252, which browsers also take for ISO-8859-1 and ASCII. Some releases of Node
 * decode them as control characters.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes an XML file by its byte order mark, else its declared encoding, else UTF-8; undefined for an unknown
 * encoding.
 */
export function xmlText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  const declaration = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared =
    /^(?:\xEF\xBB\xBF)?\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  try {
    const decoder = new TextDecoder(declared);
    const text = decoder.decode(bytes);
    if (decoder.encoding !== 'windows-1252') return text;
    return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]);
  } catch {
    return undefined;
  }
}

/** Finds the first element; undefined if there is none (plain text, an unclosed comment). */
export function readProlog(text: string): Prolog | undefined {
  let at = 0;
  let doctype: Prolog['doctype'];
  for (;;) {
    at = skipSpace(text, at);
    if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) {
      const end = doctypeEnd(text, at + 9);
      doctype = { start: at, end };
      at = end;
    } else break;
    if (at === -1) return undefined;
  }
  if (text[at] !== '<') return undefined;
  return doctype ? { root: at, doctype } : { root: at };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === 0xfeff)) at++;
  return at;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

/** The end of the DOCTYPE. Quotes, comments and the internal subset in brackets may contain `>` as well. */
function doctypeEnd(text: string, from: number): number {
  let inSubset = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "'") {
      at = text.indexOf(character, at + 1);
      if (at === -1) return -1;
    } else if (text.startsWith('<!--', at)) {
      at = after(text, '-->', at + 4) - 1;
      if (at < 0) return -1;
    } else if (character === '[') inSubset = true;
    else if (character === ']') inSubset = false;
    else if (character === '>' && !inSubset) return at + 1;
  }
  return -1;
}

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
