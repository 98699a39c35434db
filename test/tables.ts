// Finds the Markdown pages of the checkout, and reads their tables and code.
import { readdirSync, readFileSync } from 'node:fs';
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

/** Code in a page. */
export interface Snippet {
  /** For messages. */
  readonly place: string;
  /** Unique, and fit for a file. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
  /** The text of the page that it is in. */
  readonly page: string;
}

/** The code of the README and docs/, except the examples of docs/api.md, which need a server. */
export function snippets(): Snippet[] {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
    (path) => path.endsWith('.md') && path !== 'docs/api.md',
  );
  return pages.flatMap((path) => {
    const page = readFileSync(join(ROOT, path), 'utf8');
    return Array.from(page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language, code], i) => ({
      place: `${path}, snippet ${i + 1}`,
      name: `${path.replace(/\W/g, '-')}-${i + 1}`,
      language,
      code,
      page,
    }));
  });
}
