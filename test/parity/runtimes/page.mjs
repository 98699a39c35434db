// Runs in a page, or in a worker that the page starts: renders the cases and sends the results to the server.
//   page.html?worker&pictures
import { createRenderer } from '../../../dist/browser/index.js';
import { renderCase } from './render-case.mjs';

const { searchParams } = new URL(location.href);
const isPage = typeof document === 'object';

async function main() {
  if (isPage && searchParams.has('worker')) {
    const worker = new Worker(`page.mjs${location.search}`, { type: 'module' });
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = ({ message }) => reject(new Error(message || 'the worker does not start'));
    });
    return;
  }
  const renderer = createRenderer();
  const cases = (await (await fetch('/cases')).text()).trim().split('\n');
  for (const line of cases) {
    const result = await renderCase(renderer, JSON.parse(line), searchParams.has('pictures'));
    await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
  }
  if (!isPage) postMessage('done');
}

main().then(
  () => isPage && fetch('/end', { method: 'POST' }),
  (error) => fetch('/end', { method: 'POST', body: `${error.name}: ${error.message}` }),
);
