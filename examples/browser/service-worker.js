// Answers card.png?title=Hello with a picture that is rendered in the browser; all else comes from the network.
import { createRenderer } from '/platen/dist/browser/service-worker.js';

const renderer = createRenderer();

async function card(text) {
  const box = { x: 40, y: 40, width: 520, height: 235, fontSize: 64, autoFit: true, color: 'white' };
  const canvas = { width: 600, height: 315, backgroundColor: '#14213d' };
  const { bytes, mimeType } = await renderer.render({ canvas, layers: [{ type: 'text', text, ...box }] });
  return new Response(bytes, { headers: { 'content-type': mimeType } });
}

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname, searchParams } = new URL(event.request.url);
  if (pathname.endsWith('/card.png')) event.respondWith(card(searchParams.get('title') ?? ''));
});
