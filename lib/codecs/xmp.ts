// XMP packets, which say what a file is or shows: ISO 16684-1.
import { escapeText } from '../bytes/xml.js';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';

/** The packet with these entries of `rdf:Description`. `namespaces`: URIs by their prefixes. */
export function xmpPacket(entries: string, namespaces: Readonly<Record<string, string>>): string {
  const names = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">' +
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""${names.join('')}>` +
    `${entries}</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>`
  );
}

/** A text in the file's only language. */
export function localizedText(text: string): string {
  return `<rdf:Alt><rdf:li xml:lang="x-default">${escapeText(text)}</rdf:li></rdf:Alt>`;
}

/** The packet of a picture with this description, in UTF-8. */
export function xmpDescription(description: string): Uint8Array<ArrayBuffer> {
  const entry = `<dc:description>${localizedText(description)}</dc:description>`;
  return new TextEncoder().encode(xmpPacket(entry, { dc: DUBLIN_CORE }));
}
