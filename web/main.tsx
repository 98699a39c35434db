// Starts the dashboard's pages.
import { render } from 'preact';
import { startRendering } from './app/rendering.js';
import { startRouter } from './app/router.js';
import { guardPages, loadSession } from './app/session.js';
import { App } from './frame/app.js';
import { ROUTES } from './frame/routes.js';

startRendering();
startRouter(ROUTES);
guardPages();
loadSession();
const root = document.getElementById('app');
if (root) render(<App />, root);
