// What is said of a document beside its pages.
export interface PdfOptions {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
  /** ISO 8601. */
  readonly date?: string | undefined;
  /** BCP 47. */
  readonly language?: string | undefined;
  /** Pixels around the canvas that layers are painted in, too. */
  readonly bleed?: number | undefined;
  readonly cropMarks?: boolean | undefined;
  /** The standards that it is made to. */
  readonly conformance?: readonly ('pdf/a-2u' | 'pdf/ua-1')[] | undefined;
}
