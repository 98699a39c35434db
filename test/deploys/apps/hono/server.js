import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();
const app = new Hono();

app.get('/card.png', async (context) => {
  const title = (context.req.query('title') ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  return context.body(bytes, 200, { 'content-type': mimeType });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: process.env.HOST });
