// What PDF/A-2 (ISO 19005-2) and PDF/UA-1 (ISO 14289-1) ask of a document beside its pages: metadata in XMP, which say what it
// conforms to, and the colour space that its colours are meant in.

import { escapeText } from '../bytes/xml.js';
import { localizedText, xmpPacket } from '../codecs/xmp.js';
import { RenderError } from '../errors.js';
import type { PdfOptions } from './options.js';
import { srgbProfile } from './srgb-profile.js';
import { type PdfWriter, refTo } from './writer.js';

/** Limits of PDF/A: graphics states within each other, and the shortest side of a page in points. */
const MAX_STATES = 28;
const MIN_SIDE = 3;

/** The rules that a document follows. */
export class Rules {
  readonly isArchival: boolean;
  readonly isAccessible: boolean;

  constructor({ conformance = [] }: Pick<PdfOptions, 'conformance'>) {
    this.isArchival = conformance.includes('pdf/a-2u');
    this.isAccessible = conformance.includes('pdf/ua-1');
  }

  /** Whether all text needs glyphs, and all glyphs a text. */
  get isStrict(): boolean {
    return this.isArchival || this.isAccessible;
  }

  /** Throws RenderError for a page that no document for archives may have. `states`: those within each other. */
  checkPage(width: number, height: number, states: number): void {
    if (!this.isArchival) return;
    if (states > MAX_STATES) {
      throw new RenderError(
        'render_failed',
        `groups and effects lie ${states} deep in each other, expected at most ${MAX_STATES} for conformance "pdf/a-2u"`,
      );
    }
    if (Math.min(width, height) < MIN_SIDE) {
      const expected = `at least ${MIN_SIDE / 0.75} px a side for conformance "pdf/a-2u"`;
      throw new RenderError('render_failed', `the page is too small, expected ${expected}`);
    }
  }

  /** Writes the metadata and the output intent; returns the entries of the catalog. */
  finish(writer: PdfWriter, options: PdfOptions): string {
    if (!this.isStrict) return '';
    const xmp = new TextEncoder().encode(this.metadata(options));
    // readable without PDF software
    const metadata = writer.addStream('/Type/Metadata/Subtype/XML', xmp, '');
    if (!this.isArchival) return `/Metadata ${refTo(metadata)}`;
    const profile = writer.addStream('/N 3', srgbProfile());
    return (
      `/Metadata ${refTo(metadata)}/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1` +
      `/OutputConditionIdentifier(sRGB)/Info(sRGB IEC61966-2.1)/DestOutputProfile ${refTo(profile)}>>]`
    );
  }

  private metadata({ title, author, subject, keywords, date }: PdfOptions): string {
    const { isArchival, isAccessible } = this;
    const entries = [
      isArchival && '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>',
      isAccessible && '<pdfuaid:part>1</pdfuaid:part>',
      title !== undefined && `<dc:title>${localizedText(title)}</dc:title>`,
      author !== undefined && `<dc:creator><rdf:Seq><rdf:li>${escapeText(author)}</rdf:li></rdf:Seq></dc:creator>`,
      subject !== undefined && `<dc:description>${localizedText(subject)}</dc:description>`,
      keywords !== undefined && `<pdf:Keywords>${escapeText(keywords)}</pdf:Keywords>`,
      date !== undefined && `<xmp:CreateDate>${escapeText(date)}</xmp:CreateDate>`,
      isArchival && isAccessible && ACCESSIBILITY_SCHEMA,
    ];
    return xmpPacket(entries.filter((entry) => entry !== false).join(''), NAMESPACES);
  }
}

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  pdfuaid: 'http://www.aiim.org/pdfua/ns/id/',
  pdfaExtension: 'http://www.aiim.org/pdfa/ns/extension/',
  pdfaSchema: 'http://www.aiim.org/pdfa/ns/schema#',
  pdfaProperty: 'http://www.aiim.org/pdfa/ns/property#',
};

/** PDF/A knows nothing of PDF/UA: its metadata need a description. */
const ACCESSIBILITY_SCHEMA =
  '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">' +
  '<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>' +
  `<pdfaSchema:namespaceURI>${NAMESPACES.pdfuaid}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>` +
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>' +
  '<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category>' +
  '<pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>' +
  '</rdf:li></rdf:Bag></pdfaExtension:schemas>';
