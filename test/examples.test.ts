// Every example renders without a doubt, at its own size, and the ticket's QR code can be scanned.
import { readdirSync, readFileSync } from 'node:fs';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import t from 'tap';
import { createRenderer } from '../lib/index.js';
import { ROOT } from './checkout.js';

// The package's types describe its default export as a namespace.
const scan = jsqr as unknown as typeof jsqr.default;
const folder = `${ROOT}examples`;
const renderer = createRenderer({ baseDirectory: folder });
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const listed = readFileSync(`${folder}/README.md`, 'utf8');

t.ok(names.length >= 8, `${names.length} examples`);

for (const name of names) {
  t.test(name, async (t) => {
    const payload = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
    const { width, height } = payload.canvas;
    t.match(listed, `| \`${name}\` | ${width} × ${height} |`, 'is listed with its size');
    const picture = await renderer.render(payload);
    t.same(picture.warnings, []);
    const { data, ...decoded } = PNG.sync.read(Buffer.from(picture.bytes));
    t.match(decoded, { width, height });
    const colors = new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4));
    t.ok(colors.size > 100, `${colors.size} colours`);
    const code = payload.layers.find(({ type }: { type: string }) => type === 'qrcode');
    if (code) t.equal(scan(new Uint8ClampedArray(data), width, height)?.data, code.data);
  });
}
