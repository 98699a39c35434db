// Renders the pictures of docs/visuals.md, docs/text.md, docs/layout.md, docs/charts.md, docs/recipes.md and docs/findings.md: each from the payload that
// stands below it. test/gallery.test.ts compares the committed files with them.
//   npm run build && node docs/visuals.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = new URL('.', import.meta.url);
const PAGES = ['visuals.md', 'text.md', 'layout.md', 'charts.md', 'recipes.md', 'findings.md'];
const PICTURE = /!\[[^\]]*\]\((visuals\/[\w-]+\.webp)\)\n\n```json\n([\s\S]*?)```/g;

/** The pages' pictures: path from docs/, payload, and the text of the page. */
export function listVisuals() {
  return PAGES.flatMap((name) => {
    const page = readFileSync(new URL(name, folder), 'utf8');
    return [...page.matchAll(PICTURE)].map(([, path, payload]) => ({ path, payload: JSON.parse(payload), page }));
  });
}

/**
 * Yields each picture with its path from docs/, at two pixels per pixel of the payload unless that has a scale. Warnings
 * that the page quotes are left out.
 */
export async function* drawVisuals(createRenderer) {
  const renderer = createRenderer({ baseDirectory: fileURLToPath(folder) });
  for (const { path, payload, page } of listVisuals()) {
    const scale = payload.canvas.scale ?? 2;
    const image = await renderer.render(payload, { format: 'webp', quality: 84, scale });
    const warnings = image.warnings.filter((each) => !page.includes(`\`${each.path}: ${each.message}\``));
    yield { ...image, path, warnings };
  }
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const { createRenderer } = await import('../dist/lib/index.js');
  mkdirSync(new URL('visuals', folder), { recursive: true });
  for await (const { path, bytes, width, height, warnings } of drawVisuals(createRenderer)) {
    writeFileSync(new URL(path, folder), bytes);
    console.log(`${path}: ${width} × ${height}, ${bytes.length} bytes`);
    for (const { path: field, message } of warnings) console.log(`  ${field}: ${message}`);
  }
}
