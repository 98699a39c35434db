import { createServer } from 'node:http';
import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();

createServer(async ({ url }, response) => {
  try {
    const title = (new URL(url, 'http://host').searchParams.get('title') ?? 'Untitled').slice(0, 200);
    const { bytes, mimeType } = await renderer.render(card(title));
    response.writeHead(200, { 'content-type': mimeType }).end(bytes);
  } catch {
    response.writeHead(500).end();
  }
}).listen(Number(process.env.PORT ?? 3000), process.env.HOST);
