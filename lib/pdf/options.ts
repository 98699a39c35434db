// What is said of a document beside its pages.
import type { DocumentFields } from '../contract/template/document.js';

export interface PdfOptions extends Omit<DocumentFields, 'rasterScale' | 'idPrefix' | 'text'> {
  /** BCP 47. */
  readonly language?: string | undefined;
}
