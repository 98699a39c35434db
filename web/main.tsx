// Starts the dashboard's pages.
import { render } from 'preact';
import { startRouter } from './app/router.js';
import { guardPages, loadSession } from './app/session.js';
import { App } from './frame/app.js';
import { ROUTES } from './frame/routes.js';

startRouter(ROUTES);
guardPages();
loadSession();
const root = document.getElementById('app');
if (root) render(<App />, root);
