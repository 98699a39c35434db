// Uses what needs files of the package: fonts, codecs, hyphenation and worker processes. Writes a picture of each to a folder.
import { writeFileSync } from 'node:fs';
import { createRenderer, render } from 'platen';
import { card } from './card.js';

const [folder, title] = process.argv.slice(2);
for (const format of ['png', 'webp', 'avif', 'jpeg']) {
  const { bytes } = await render(card(title), { format });
  writeFileSync(`${folder}/card.${format}`, bytes);
}
const word = { type: 'text', text: 'Donaudampfschifffahrtsgesellschaft', hyphens: 'auto', language: 'de' };
const box = { x: 0, y: 0, width: 200, height: 200, fontSize: 24 };
const hyphenated = await render({ canvas: { width: 200, height: 200 }, layers: [{ ...word, ...box }] });
writeFileSync(`${folder}/hyphenated.png`, hyphenated.bytes);

const code = { type: 'barcode', symbology: 'code128', data: 'A-1', x: 0, y: 0, width: 200, height: 80 };
const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>';
const picture = { type: 'image', url: svg, x: 0, y: 100, width: 90, height: 90 };
const renderer = createRenderer({ workers: 1 });
const drawn = await renderer.render({ canvas: { width: 200, height: 200 }, layers: [code, picture] });
await renderer.close();
writeFileSync(`${folder}/worker.png`, drawn.bytes);
