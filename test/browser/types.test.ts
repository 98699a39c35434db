// The types of the built entries for browsers, in a project that has those of pages and not those of Node.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { ROOT } from '../checkout.js';

const PROGRAM = `
import { createRenderer, type Renderer } from 'platen/browser';
import { createRenderer as createInOneFile } from 'platen/service-worker';
import kernels from 'platen/wasm/kernels.wasm';
import { createWorkerRenderer, RenderError, type WorkerRenderer } from 'platen/worker';

const renderers: Renderer[] = [createRenderer({ wasm: { kernels }, fetch }), createInOneFile({ fontsUrl: new URL('https://example.com/') })];
const inWorker: WorkerRenderer = createWorkerRenderer({ fontsUrl: '/fonts/', wasm: { kernels }, timeoutMs: 5000 });
const card = { canvas: { width: 1, height: 1 }, layers: [] };
const photo = new Uint8Array(4);
const { data, width } = await inWorker.renderToPixels(card, { images: { photo }, transfer: [photo.buffer] });
export const pixels = new ImageData(data, width);
export const file = new Blob([(await renderers[0].render(card)).bytes]);
export const answer = new Response((await renderers[1].render(card)).bytes);
export const codeOf = (error: unknown) => (error instanceof RenderError ? error.code : undefined);
// a worker takes no functions
// @ts-expect-error
createWorkerRenderer({ fetch });
`;

t.test('they are whole, and fit what pages do with pixels and files', (t) => {
  const folder = t.testdir({});
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/platen'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const page = join(folder, 'page.ts');
  writeFileSync(page, PROGRAM);
  for (const moduleResolution of [ts.ModuleResolutionKind.Bundler, ts.ModuleResolutionKind.NodeNext]) {
    const isNode = moduleResolution === ts.ModuleResolutionKind.NodeNext;
    const program = ts.createProgram([page], {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      module: isNode ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
      moduleResolution,
      types: [],
      strict: true,
      noEmit: true,
    });
    const errors = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    t.same(errors, []);
  }
  t.end();
});
