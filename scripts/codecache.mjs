// Runs dist/bin/program.cjs once and saves V8's code cache, in a file named after the Node version and architecture.
// Functions that this run does not call are not in the cache; V8 compiles them when they are first called.
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

// Features that most images use. Covering WOFF2 fonts or image decoders too would slow down every start: 0.2 ms per 100 KB.
const box = { x: 60, y: 60, width: 480, height: 120 };
const layers = [
  { type: 'shape', shapeType: 'rounded_rectangle', fillColor: '#0f172a', ...box },
  { type: 'text', text: 'The quick brown fox', fontSize: 32, fontWeight: 'bold', autoFit: true, ...box },
  { type: 'text', text: 'jumps over the lazy dog', maxLines: 1, textAlign: 'center', color: 'tomato', ...box },
  { type: 'qrcode', data: 'https://example.com', ...box },
];
writeFileSync(payload, JSON.stringify({ canvas: { width: 600, height: 240, backgroundColor: '#fff' }, layers }));

/** The vm.Script that bin/render.js creates. */
let program;
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    program = this;
  }
};
syncBuiltinESMExports();

process.argv = [process.execPath, join(bin, 'render.js'), payload, '-o', join(folder, 'picture.png')];
process.on('exit', (code) => {
  rmSync(folder, { recursive: true });
  if (code !== 0 || !program) throw new Error(`the command exited with code ${code}: no code cache was saved`);
  writeFileSync(join(bin, `program.${process.version}-${process.arch}.cache`), program.createCachedData());
});
await import(pathToFileURL(join(bin, 'render.js')).href);
