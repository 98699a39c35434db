// Checks the form of every Markdown page: links and images lead to existing files and headings, and tables are whole.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import t from 'tap';
import { ROOT } from './checkout.js';
import { markdownPages } from './tables.js';

/** The text without fenced code. */
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors that GitHub gives the headings of a page: a repeated heading's end in a number. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const [, heading] of withoutCode(text).matchAll(/^#+ (.*)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

/** The cells of a table's line; `\|` is no separator. */
const cellCount = (line: string) => line.replaceAll('\\|', '').split('|').length - 2;

/** Lists the faults of a page's tables, a line each. */
function tableFaults(text: string): string[] {
  const faults: string[] = [];
  const lines = withoutCode(text).split('\n');
  lines.forEach((line, i) => {
    const isRow = line.startsWith('|');
    const place = `“${line.slice(0, 60)}”`;
    if (isRow && !line.endsWith('|')) faults.push(`${place} does not end in a cell`);
    if (!isRow && / \|(?: |$)/.test(line.replace(/`[^`]*`/g, ''))) faults.push(`${place} has cells outside of a table`);
    if (!isRow && /\| ---|\|---/.test(line)) faults.push(`${place} has a ruler outside of a table`);
    const isFirst = isRow && !lines[i - 1]?.startsWith('|');
    if (!isRow) return;
    if (isFirst) {
      if ((lines[i - 1] ?? '') !== '' && !lines[i - 1].startsWith('<!--'))
        faults.push(`${place} needs a blank line above`);
      if (!/^\|(?: ?:?-+:? ?\|)+$/.test(lines[i + 1] ?? '')) faults.push(`${place} has no ruler below`);
    } else if (cellCount(line) !== cellCount(lines[i - 1])) faults.push(`${place} has ${cellCount(line)} cells`);
    const next = lines[i + 1] ?? '';
    if (!next.startsWith('|') && next !== '') faults.push(`${place} needs a blank line below the table`);
  });
  return faults;
}

t.test('recognises broken tables', async (t) => {
  const table = '| a | b |\n|---|---|\n| 1 | `x \\| y` |\n';
  t.same(tableFaults(`Text.\n\n${table}\nText with \`a | b\`.\n`), []);
  t.equal(tableFaults(`Text.\n${table}`).length, 1);
  t.equal(tableFaults(`${table}Text.\n`).length, 1);
  t.equal(tableFaults('| a | b |\n|---|---|\n| 1 |\n').length, 1);
  t.equal(tableFaults('| a | b |\n| 1 | 2 |\n').length, 1);
  t.ok(tableFaults('A sentence (`ALTER | a | b |\n|---|---|\n| 1 | 2 | TABLE`).\n').length >= 2);
});

t.test('has whole tables on every page', async (t) => {
  const pages = markdownPages();
  t.ok(pages.length >= 15, `${pages.length} pages`);
  for (const path of pages) t.same(tableFaults(readFileSync(join(ROOT, path), 'utf8')), [], path);
});

t.test('has links and images that lead somewhere', async (t) => {
  let links = 0;
  for (const path of markdownPages()) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const targets = withoutCode(text).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g);
    for (const [, link, source] of targets) {
      const [file, anchor] = (link ?? source).split('#');
      if (/^https?:/.test(file)) continue;
      links++;
      const target = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file));
      if (!existsSync(join(ROOT, target))) t.fail(`${path} links to ${target}, which does not exist`);
      else if (anchor !== undefined && !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).has(anchor))
        t.fail(`${path} links to ${target}#${anchor}, which does not exist`);
    }
  }
  t.ok(links >= 100, `${links} links`);
});

t.test('links every page of docs/ from the README', async (t) => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  for (const path of markdownPages().filter((page) => page.startsWith('docs/'))) t.match(readme, `](${path})`);
});
