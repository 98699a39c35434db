import { createRenderer } from 'platen/browser';
import brotli from 'platen/wasm/brotli.wasm';
import harfbuzz from 'platen/wasm/harfbuzz.wasm';
import kernels from 'platen/wasm/kernels.wasm';
import { card } from './card.js';

let renderer;

export default {
  async fetch(request, env) {
    renderer ??= createRenderer({
      fontsUrl: 'https://assets.local/',
      fetch: (url, init) => env.ASSETS.fetch(url, init),
      wasm: { brotli, harfbuzz, kernels },
    });
    const title = (new URL(request.url).searchParams.get('title') ?? 'Untitled').slice(0, 200);
    const { bytes, mimeType } = await renderer.render(card(title));
    return new Response(bytes, { headers: { 'content-type': mimeType, 'cache-control': 'public, max-age=86400' } });
  },
};
