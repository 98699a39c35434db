// Runs in workerd: answers a case with its result. Modules can't be compiled at run time there, so they are imported.
import { createRenderer } from '../../../dist/browser/index.js';
import wasm from '../../../wasm-modules.js';
import { renderCase } from './render-case.mjs';

let renderer;

export default {
  async fetch(request, { FONTS_URL }) {
    renderer ??= createRenderer({ fontsUrl: FONTS_URL, wasm });
    const { pictures, ...given } = await request.json();
    return Response.json(await renderCase(renderer, given, pictures));
  },
};
