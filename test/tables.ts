// Finds the Markdown pages of the checkout, and reads their tables.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './checkout.js';

const SKIPPED = /^(\..*|node_modules|dist|out|tap-testdir.*)$/;

/** The paths of all Markdown pages, from the root. */
export function markdownPages(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(entry.name)) return [];
    if (entry.isDirectory()) return markdownPages(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

/** The rows of the tables under a heading, as their cells. */
export function rowsUnder(page: string, heading: string): string[][] {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
