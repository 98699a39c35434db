// Reads the codes of a picture back with a scanner of another make: ZXing's C++, as WebAssembly.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Picture } from '../picture.js';

const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } });

export interface Scanned {
  /** `EAN-13`, `Code 128`, `DataMatrix`, … */
  readonly format: string;
  readonly text: string;
}

/** The codes in the picture; the text of a GS1 code has its application identifiers in parentheses. */
export async function scan({ data, width, height }: Pick<Picture, 'data' | 'width' | 'height'>): Promise<Scanned[]> {
  const image = { data: new Uint8ClampedArray(data), width, height } as ImageData;
  const found = await readBarcodes(image, { textMode: 'HRI' });
  return found.map(({ format, text }) => ({ format, text }));
}
