// A small scene of valid files, rendered after each input in the same process: it must equal the render of a fresh process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataUrl, everySvg, json, smallPng } from './samples.js';

const FILES: readonly (readonly [target: string, file: string])[] = [
  ['jpeg', 'test/codecs/fixtures/quadrants-420.jpg'],
  ['jpeg', 'test/codecs/fixtures/quadrants-progressive.jpg'],
  ['webp', 'test/codecs/fixtures/quadrants-lossless.webp'],
  ['webp', 'test/codecs/fixtures/quadrants-translucent.webp'],
  ['avif', 'test/codecs/fixtures/quadrants-turned.avif'],
  ['gif', 'test/codecs/fixtures/quadrants-interlaced.gif'],
];

const FONT = 'fonts/bebas-neue/bebas-neue-400.woff2';

/**
 * The control for a target: pictures of its format, or its kind of font, and a line of text. `turn` makes the files
 * differ where it can't be seen, so that no cache answers for a decoder.
 */
export function controlFor(root: string, target: string): (turn: number) => Uint8Array {
  const read = (path: string) => readFileSync(join(root, path));
  const files = FILES.filter(([format]) => format === target).map(([, path]) => read(path));
  if (target === 'png' || target === 'json') files.push(Buffer.from(smallPng()));
  if (target === 'svg' || target === 'json') files.push(Buffer.from(everySvg()));
  const isFont = ['sfnt', 'woff', 'woff2'].includes(target);
  const customFontUrl = isFont ? dataUrl(read(FONT)) : undefined;
  return (turn) => {
    const text = {
      type: 'text',
      x: 0,
      y: 40,
      width: 200,
      height: 40,
      text: 'AV fi 12',
      ...(customFontUrl && { customFontUrl, fontWeight: 1 + (turn % 1000) }),
    };
    const pictures = files.map((bytes, i) => ({
      type: 'image',
      x: i * 40,
      y: 0,
      width: 40,
      height: 40,
      url: dataUrl(Buffer.concat([bytes, addition(target, turn)])),
    }));
    return json({ canvas: { width: 200, height: 80 }, layers: [...pictures, text] });
  };
}

/** Bytes after the end that readers pass over. */
function addition(target: string, turn: number): Uint8Array {
  const number = String(turn).padStart(12, '0');
  if (target === 'svg' || target === 'json') return Buffer.from(`<!--${number}-->`);
  const box = Buffer.from(`....free${number}`);
  box.writeUInt32BE(box.length);
  return box;
}
