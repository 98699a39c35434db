import { createRenderer } from 'platen';
import { card } from '../../../card.js';

const renderer = createRenderer();

export async function GET({ url }) {
  const title = (url.searchParams.get('title') ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  return new Response(bytes, { headers: { 'content-type': mimeType, 'cache-control': 'public, max-age=86400' } });
}
