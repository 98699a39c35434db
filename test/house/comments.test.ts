// The house rules about comments: they are sentences, and the files and documents that they cite exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['lib', 'web', 'bin', 'scripts', 'bench', 'test'];
const SOURCE = /\.(?:tsx?|cts|mjs)$/;

/** Words that open a fragment: `That of pages`, `Where it begins`. */
const FRAGMENT = /^(?:of|that of|those|with|where)\b/i;
/** A source file or a document, which may have an anchor: `raster/blend.ts`, `docs/payload.md#fonts`. */
const CITED = /(?<![\w@*{}$/.-])([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|cts|mjs|md))(?:#([\w-]+))?(?![\w/])/g;
/** A document that is named in capitals, by a section or a title, instead of by its path. */
const NAMED_DOCUMENT = /\b[A-Z]{6,}(?:, [a-z ]+)? (?:and [A-Z]{6,} )?(?:sections?\b|rules?\b|")/;
/** Files that a reader writes, and files that the build writes. */
const ELSEWHERE = ['x.ts', './otel.mjs', 'child.mjs'];

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Maps the start of each literal, in which slashes begin no comment, to its end. */
function literalsOf(file: ts.SourceFile): Map<number, number> {
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    const isText = ts.isJsxText(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText || ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node)) {
      ends.set(ts.isJsxText(node) ? node.pos : node.getStart(file), node.end);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return ends;
}

/** Lists the comments of a file. Lines with `//` that follow one another are one comment. */
function commentsOf(path: string, source: string): Comment[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022);
  const literals = [...literalsOf(file)].sort(([one], [other]) => one - other);
  const comments: Comment[] = [];
  const start = /\/\/.*|\/\*[\s\S]*?\*\//g;
  let literal = 0;
  let end = -1;
  for (let found = start.exec(source); found; found = start.exec(source)) {
    const at = found.index;
    while ((literals[literal]?.[1] ?? Infinity) <= at) literal++;
    const [from, to] = literals[literal] ?? [Infinity, Infinity];
    if (from <= at) {
      start.lastIndex = to;
      continue;
    }
    const text = found[0]
      .replace(/^\/\*\*?|\*\/$|^\/\/+/g, '')
      .replace(/^\s*\* ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    const isLine = found[0].startsWith('//');
    const last = comments.at(-1);
    if (isLine && last && end >= 0 && /^\r?\n[ \t]*$/.test(source.slice(end, at))) {
      comments[comments.length - 1] = { line: last.line, text: `${last.text} ${text}` };
    } else comments.push({ line: file.getLineAndCharacterOfPosition(at).line + 1, text });
    end = isLine ? at + found[0].length : -1;
  }
  return comments;
}

function list(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => join(folder, name).split(sep).join('/'))
    .filter((path) => SOURCE.test(path) || path.endsWith('.md'));
}

const files = [...SOURCES, 'docs', 'examples', 'fonts', 'deploy', 'data'].flatMap(list);
files.push(...readdirSync(ROOT).filter((name) => SOURCE.test(name) || name.endsWith('.md')));
const comments = SOURCES.flatMap(list)
  .filter((path) => SOURCE.test(path))
  .flatMap((path) =>
    commentsOf(path, readFileSync(join(ROOT, path), 'utf8')).map(({ line, text }) => ({ at: `${path}:${line}`, text })),
  );

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  const headings = readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Says why a cited file or anchor can't be found; undefined if it can. */
function citationFault(path: string, anchor: string | undefined): string | undefined {
  if (ELSEWHERE.includes(path)) return undefined;
  const cited = path.replace(/^(?:\.\.?\/)+/, '');
  const found = files.find((file) => file === cited || file.endsWith(`/${cited}`));
  if (found === undefined) return `${path} does not exist`;
  return anchor === undefined || anchorsOf(found).includes(anchor) ? undefined : `${path} has no heading #${anchor}`;
}

t.test('comments are found in every form', (t) => {
  const source = [
    '// One line,',
    '// and its second.',
    '/** A constant. */',
    "const a = '// none'; // At its end.",
    '',
    '/*',
    ' * A block',
    ' * of two lines.',
    ' */',
    '// Alone.',
    'const b = <p title={`// none`}>// none {/* Inside. */}</p>;',
  ].join('\n');
  t.same(commentsOf('a.tsx', source), [
    { line: 1, text: 'One line, and its second.' },
    { line: 3, text: 'A constant.' },
    { line: 4, text: 'At its end.' },
    { line: 6, text: 'A block of two lines.' },
    { line: 10, text: 'Alone.' },
    { line: 11, text: 'Inside.' },
  ]);
  t.ok(comments.length > 5000);
  t.end();
});

t.test('a comment does not open with a fragment', (t) => {
  t.same(
    comments.filter(({ text }) => FRAGMENT.test(text)).map(({ at, text }) => `${at} ${text.slice(0, 60)}`),
    [],
  );
  t.end();
});

t.test('the files and documents that comments cite exist', (t) => {
  t.equal(citationFault('raster/blend.ts', undefined), undefined);
  t.equal(citationFault('docs/payload.md', 'fonts'), undefined);
  t.match(citationFault('raster/none.ts', undefined), 'does not exist');
  t.match(citationFault('docs/payload.md', 'none'), 'no heading');
  t.ok(existsSync(join(ROOT, 'docs/payload.md')));
  let count = 0;
  const faults = comments.flatMap(({ at, text }) =>
    Array.from(text.matchAll(CITED)).flatMap(([, path = '', anchor]) => {
      count++;
      const fault = citationFault(path, anchor);
      return fault === undefined ? [] : [`${at} ${fault}`];
    }),
  );
  t.same(faults, []);
  t.ok(count > 200, `${count} citations`);
  t.same(
    comments.filter(({ text }) => NAMED_DOCUMENT.test(text)).map(({ at, text }) => `${at} ${text.slice(0, 60)}`),
    [],
    'a document is cited by its path',
  );
  t.end();
});
