import { cpSync } from 'node:fs';
import resolve from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';

export default {
  input: { main: 'main.js', worker: 'node_modules/platen/dist/browser/worker.js' },
  output: { dir: 'dist' },
  plugins: [
    resolve({ browser: true }),
    importMetaAssets(),
    { name: 'page', writeBundle: () => cpSync('index.html', 'dist/index.html') },
  ],
};
