import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();

async function handler(request) {
  const title = (new URL(request.url).searchParams.get('title') ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  return new Response(bytes, { headers: { 'content-type': mimeType, 'cache-control': 'public, max-age=86400' } });
}

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8000), hostname: Deno.env.get('HOST') }, handler);
