import Fastify from 'fastify';
import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();
const app = Fastify();

app.get('/card.png', async (request, reply) => {
  const title = String(request.query.title ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  return reply.type(mimeType).send(Buffer.from(bytes));
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? 'localhost' });
