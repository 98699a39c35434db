// Text in XML, which vector documents and the metadata of files are written in.

/** The text as content or in quotes. Characters that XML can't have become U+FFFD. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]).replace(NOT_XML, '\uFFFD');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 has no way to write. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
