import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();

export async function handler(event) {
  const title = (event.queryStringParameters?.title ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  return {
    statusCode: 200,
    headers: { 'content-type': mimeType, 'cache-control': 'public, max-age=86400' },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  };
}
