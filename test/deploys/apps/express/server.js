import express from 'express';
import { createRenderer } from 'platen';
import { card } from './card.js';

const renderer = createRenderer();
const app = express();

app.get('/card.png', async (request, response) => {
  const title = String(request.query.title ?? 'Untitled').slice(0, 200);
  const { bytes, mimeType } = await renderer.render(card(title));
  response.type(mimeType).send(Buffer.from(bytes));
});

app.listen(Number(process.env.PORT ?? 3000), process.env.HOST);
