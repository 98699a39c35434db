import { createWorkerRenderer } from '/platen/dist/browser/client.js';

const renderer = createWorkerRenderer();
const title = document.getElementById('title');
const context = document.getElementById('card').getContext('2d');
const text = { type: 'text', x: 40, y: 40, width: 520, height: 235, fontSize: 64, autoFit: true, color: 'white' };

async function draw() {
  const card = { canvas: { width: 600, height: 315, backgroundColor: '#14213d' }, layers: [{ ...text, text: title.value }] };
  const { data, width } = await renderer.renderToPixels(card);
  context.putImageData(new ImageData(data, width), 0, 0);
}
title.oninput = () => draw().catch((error) => error.name === 'AbortError' || reportError(error));
title.oninput();
