// Reduces bwip-js, in a bundle, to the encoders of the contract's symbologies: 70 KB of its 260, compressed. It knows a hundred
// symbologies and finds them by name, so that bundlers keep them all, with fonts and drawing, of which nothing is used here.
import { readFileSync } from 'node:fs';

/** The function of each symbology, by the name that lib/barcodes/encode.ts passes. */
const ENCODERS = {
  code128: 'bwipp_code128',
  code39: 'bwipp_code39',
  ean13: 'bwipp_ean13',
  ean8: 'bwipp_ean8',
  upca: 'bwipp_upca',
  itf14: 'bwipp_itf14',
  'gs1-128': 'bwipp_gs1_128',
  pdf417: 'bwipp_pdf417',
  datamatrix: 'bwipp_datamatrix',
  azteccode: 'bwipp_azteccode',
};

/** Removes the parts that raw output does not need: the drawing, and the search by name. */
const EDITS = [
  ['var drawing = DrawingBuiltin();\n    drawing.setopts(options);\n', ''],
  ['new BWIPJS(drawing)', 'undefined'],
  ['bwipp_lookup(bcid)', 'encoders[bcid]'],
];

/** The package's module with its function for raw output alone. */
function reduced(source) {
  let raw = /^function ToRaw\([\s\S]*?\n\}\n/m.exec(source)?.[0] ?? '';
  for (const [from, to] of EDITS) {
    if (raw.split(from).length !== 2) throw new Error(`bwip-js: expected exactly one ${from} in ToRaw`);
    raw = raw.replace(from, to);
  }
  const entries = Object.entries(ENCODERS).map(([name, encoder]) => `${JSON.stringify(name)}: ${encoder}`);
  return [
    `import { bwipp_encode, ${Object.values(ENCODERS).join(', ')} } from './bwipp.mjs';`,
    `const encoders = { ${entries.join(', ')} };`,
    raw,
    'export default { raw: ToRaw };',
  ].join('\n');
}

/** A plugin for esbuild. */
export const barcodeEncoder = {
  name: 'barcode-encoder',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]bwip-js-gen\.mjs$/ }, ({ path }) => ({
      contents: reduced(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};
