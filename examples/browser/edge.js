// An edge function: answers GET /?title=Hello with a PNG. Where code may not be compiled at run time, as in Cloudflare's
// workerd, the WebAssembly modules are imports, which the platform compiles when the function is deployed.
import { createRenderer, RenderError } from 'platen/browser';
import brotli from 'platen/wasm/brotli.wasm';
import harfbuzz from 'platen/wasm/harfbuzz.wasm';
import kernels from 'platen/wasm/kernels.wasm';

let renderer;

export default {
  async fetch(request, { FONTS_URL }) {
    // FONTS_URL is where the package's fonts folder is served
    renderer ??= createRenderer({ fontsUrl: FONTS_URL, wasm: { brotli, harfbuzz, kernels } });
    const text = new URL(request.url).searchParams.get('title') ?? 'Hello';
    const box = { x: 40, y: 40, width: 520, height: 235, fontSize: 64, autoFit: true, color: 'white' };
    const canvas = { width: 600, height: 315, backgroundColor: '#14213d' };
    try {
      const { bytes, mimeType } = await renderer.render({ canvas, layers: [{ type: 'text', text, ...box }] });
      return new Response(bytes, { headers: { 'content-type': mimeType } });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return Response.json({ code: error.code, message: error.message }, { status: 500 });
    }
  },
};
