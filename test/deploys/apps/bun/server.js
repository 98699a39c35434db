import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();

Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  hostname: process.env.HOST,
  async fetch(request) {
    const title = (new URL(request.url).searchParams.get('title') ?? 'Untitled').slice(0, 200);
    const { bytes, mimeType } = await renderer.render(card(title));
    return new Response(bytes, { headers: { 'content-type': mimeType, 'cache-control': 'public, max-age=86400' } });
  },
});
