// dist/bin/program.cjs, run once → the code that V8 compiled for it, in a file named by the Node release and processor.
// What a run does not need is not in it, and is compiled when it is needed.
//   node scripts/codecache.mjs dist/bin
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const bin = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'platen-'));
const payload = join(folder, 'payload.json');

// What most pictures need. A packed font or a picture within would make every start read what few need: 0.2 ms a 100 KB.
const box = { x: 60, y: 60, width: 480, height: 120 };
const layers = [
  { type: 'shape', shapeType: 'rounded_rectangle', fillColor: '#0f172a', ...box },
  { type: 'text', text: 'The quick brown fox', fontSize: 32, fontWeight: 'bold', autoFit: true, ...box },
  { type: 'text', text: 'jumps over the lazy dog', maxLines: 1, textAlign: 'center', color: 'tomato', ...box },
  { type: 'qrcode', data: 'https://example.com', ...box },
];
writeFileSync(payload, JSON.stringify({ canvas: { width: 600, height: 240, backgroundColor: '#fff' }, layers }));

/** The script that the command makes of itself. */
let program;
vm.Script = class extends vm.Script {
  constructor(...given) {
    super(...given);
    program = this;
  }
};
syncBuiltinESMExports();

process.argv = [process.execPath, join(bin, 'render.js'), payload, '-o', join(folder, 'picture.png')];
process.on('exit', (code) => {
  rmSync(folder, { recursive: true });
  if (code !== 0 || !program) throw new Error(`the command ended with ${code}: no code was kept`);
  writeFileSync(join(bin, `program.${process.version}-${process.arch}.cache`), program.createCachedData());
});
await import(pathToFileURL(join(bin, 'render.js')).href);
