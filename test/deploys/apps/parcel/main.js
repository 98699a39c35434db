import { createRenderer } from 'platen/browser';
import { createWorkerRenderer } from 'platen/worker';
import { card } from './card.js';

async function show(id, renderer) {
  const title = new URLSearchParams(location.search).get('title') ?? 'Untitled';
  const { bytes, mimeType } = await renderer.render(card(title));
  document.getElementById(id).src = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
}

Promise.all([show('page', createRenderer()), show('worker', createWorkerRenderer())]).catch((error) => {
  document.getElementById('problem').textContent = error.message;
});
