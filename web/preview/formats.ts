// The formats of files that the engine makes.
import type { Format } from './live-preview.js';

export interface NamedFormat {
  readonly id: Format;
  readonly name: string;
}

/** The formats of pictures, quickest first. */
export const FORMATS: readonly NamedFormat[] = [
  { id: 'png', name: 'PNG' },
  { id: 'jpeg', name: 'JPEG' },
  { id: 'webp', name: 'WebP' },
  { id: 'avif', name: 'AVIF' },
];

export const DOCUMENT_FORMATS: readonly NamedFormat[] = [
  { id: 'svg', name: 'SVG' },
  { id: 'pdf', name: 'PDF' },
];

export const isDocument = (format: Format): boolean => DOCUMENT_FORMATS.some(({ id }) => id === format);
