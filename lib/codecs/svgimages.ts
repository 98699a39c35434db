// Pictures embedded in an SVG as data: URLs are decoded by the SVG's own renderer: their headers are bounded here, before.
import { unsupported } from './broken.js';
import { readHeader } from './header.js';

const EMBEDDED = /data:image\/[\w+.-]+(?:;[\w=-]+)*;base64,([A-Za-z0-9+/=\s]+)/g;

/**
 * Throws RenderError when the embedded pictures together hold more than `maxPixels` pixels. One whose header can't be
 * read is left to the renderer, which draws nothing for it.
 */
export function checkEmbedded(text: string, maxPixels: number): void {
  let pixels = 0;
  for (const [, base64] of text.matchAll(EMBEDDED)) {
    pixels += embeddedPixels(Buffer.from(base64, 'base64'));
    if (pixels > maxPixels)
      throw unsupported('svg', `its embedded pictures are larger than the ${maxPixels} pixels allowed`);
  }
}

function embeddedPixels(bytes: Uint8Array): number {
  try {
    const { format, width, height } = readHeader(bytes);
    return format === 'svg' ? 0 : width * height;
  } catch {
    return 0;
  }
}
