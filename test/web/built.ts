// The files of the pages as they are built: each in Brotli alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { ROOT } from '../checkout.js';

export const FILES = join(ROOT, 'dist/dashboard/files');

/** The content of a file, by its name. */
export function builtFile(name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(FILES, `${name}.br`)));
}

/** Its bytes in gzip, as the specification counts. */
export function gzippedSize(name: string): number {
  return gzipSync(builtFile(name), { level: 9 }).length;
}
