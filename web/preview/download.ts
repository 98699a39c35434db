// Lets the browser save content as a file.
import type { Format } from './live-preview.js';

export function saveFile(content: Uint8Array<ArrayBuffer> | string, name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // the browser has begun to read it by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The name of a picture's file, without characters that some file systems refuse. */
export function fileName(name: string, format: Format): string {
  const stem = name.replace(/[^\p{L}\p{N} ._-]+/gu, '-').trim() || 'picture';
  return `${stem}.${format === 'jpeg' ? 'jpg' : format}`;
}
