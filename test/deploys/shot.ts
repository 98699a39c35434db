import { checkPage, serveFolder } from './pages.js';

const a = process.argv[2];
const s = a.startsWith('http') ? { url: a } : await serveFolder(a);
await checkPage(s.url);
console.log('ok');
process.exit();
