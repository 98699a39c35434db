await navigator.serviceWorker.register('service-worker.js', { type: 'module' });
// the worker takes over this page when it has started (clients.claim)
if (!navigator.serviceWorker.controller) {
  await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}
document.getElementById('card').src = 'card.png?title=Hello';
