// Writes dist/api-page.html, the page of the API that the service has at /docs.
//   node scripts/api-page.mjs
import { writeFileSync } from 'node:fs';
import { importSource } from './import-source.mjs';

const { docsPage, openapi } = await importSource(`
  export { docsPage } from './scripts/api-page/page.ts';
  export { openapi } from './lib/contract/openapi.ts';`);
writeFileSync(new URL('../dist/api-page.html', import.meta.url), docsPage(openapi()));
