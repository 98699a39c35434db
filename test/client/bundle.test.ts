// The client's bundle: small, without imports, and content with what every runtime has.
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { API_KEY, answer, cut, startStub } from './stub.js';

const MAX_GZIP_BYTES = 6 * 1024;

async function bundle(format: 'esm' | 'iife', minify: boolean): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${ROOT}/lib/client/index.ts`],
    bundle: true,
    minify,
    format,
    globalName: 'platen',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const outside = Object.keys(metafile.inputs).filter((path) => !path.startsWith('lib/client/'));
  t.same(outside, ['lib/links/sign.ts'], 'it consists of the client and of what signs links');
  return outputFiles[0].text;
}

t.test('takes at most 6 KB when compressed, without an import', async (t) => {
  const code = await bundle('esm', true);
  t.ok(gzipSync(code, { level: 9 }).length <= MAX_GZIP_BYTES);
  t.notMatch(code, /\bimport\b|\brequire\b|node:|\bprocess\.|\bBuffer\b/);
});

t.test('runs with the globals that browsers, Node and edge runtimes share', async (t) => {
  const code = await bundle('iife', false);
  const shared = {
    fetch,
    Headers,
    URL,
    URLSearchParams,
    AbortController,
    TextDecoder,
    crypto,
    setTimeout,
    clearTimeout,
  };
  const context = createContext({ ...shared });
  const { baseUrl } = await startStub(t, [cut, answer(200, Buffer.from('png'), { 'X-Canvas-Width': '7' })]);
  const script = `${code}; platen.createClient(${JSON.stringify({ baseUrl, apiKey: API_KEY })})
    .render({ canvas: { width: 7, height: 1 }, layers: [] })`;
  const picture = await runInContext(script, context);
  t.match(picture, { width: 7, mimeType: 'image/png' });
});
