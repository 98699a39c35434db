import { createRenderer } from 'platen';
import { card } from '~~/card.js';

const renderer = createRenderer();

export default defineEventHandler(async (event) => {
  const title = String(getQuery(event).title ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  setHeader(event, 'content-type', mimeType);
  return Buffer.from(bytes);
});
