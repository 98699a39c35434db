// The pages of the documentation site: which there are, in the order of its navigation, and the document around each.

/** Groups of the navigation: Markdown files from the root, with the name of each in the navigation. */
export const GROUPS = [
  {
    title: 'Start',
    pages: [
      ['README.md', 'Platen'],
      ['docs/recipes.md', 'Recipes'],
      ['docs/deploy-recipes.md', 'Deploy recipes'],
      ['docs/why.md', 'Why Platen'],
      ['examples/README.md', 'Examples'],
    ],
  },
  {
    title: 'Pictures',
    pages: [
      ['docs/payload.md', 'Payload'],
      ['docs/text.md', 'Text'],
      ['docs/visuals.md', 'Visuals'],
      ['docs/layout.md', 'Layout'],
      ['docs/templates.md', 'Templates'],
      ['docs/data.md', 'Data'],
      ['docs/charts.md', 'Charts'],
      ['docs/documents.md', 'SVG and PDF'],
      ['docs/jsx.md', 'JSX'],
      ['docs/jsx-migration.md', 'Coming from @vercel/og'],
      ['docs/html.md', 'HTML'],
    ],
  },
  {
    title: 'Use',
    pages: [
      ['docs/command-line.md', 'Command line'],
      ['docs/batches.md', 'Batches'],
      ['docs/library.md', 'Library'],
      ['docs/browser.md', 'Browsers and edge'],
      ['docs/runtimes.md', 'Where it runs'],
      ['docs/warnings.md', 'Warnings and details'],
      ['docs/findings.md', 'Findings'],
      ['docs/limits.md', 'Limits'],
    ],
  },
  {
    title: 'Service',
    pages: [
      ['docs/service.md', 'Service'],
      ['docs/api.md', 'API'],
      ['docs/links.md', 'Image links'],
      ['docs/dashboard.md', 'Dashboard'],
      ['docs/editor.md', 'Template editor'],
      ['docs/operations.md', 'Operations'],
      ['docs/observability.md', 'Observability'],
      ['docs/sandbox.md', 'Sandbox'],
      ['docs/scaling.md', 'Scaling'],
      ['docs/reliability.md', 'Reliability'],
      ['docs/security.md', 'Security'],
    ],
  },
  {
    title: 'Project',
    pages: [
      ['docs/design.md', 'Design'],
      ['docs/paint.md', 'Paint targets'],
      ['docs/development.md', 'Development'],
      ['docs/releasing.md', 'Releasing'],
      ['bench/README.md', 'Benchmark'],
      ['CHANGELOG.md', 'Changelog'],
    ],
  },
];

/** Pages that are not Markdown, at the end of the first group. */
const OWN_PAGES = [
  ['playground.html', 'Playground'],
  ['reference.html', 'API reference'],
];

/** The names of the site's files by their Markdown file. */
export const FILES = new Map(GROUPS.flatMap(({ pages }) => pages.map(([source]) => [source, fileOf(source)])));

/** `docs/payload.md` → `payload.html`, `bench/README.md` → `bench.html`. */
function fileOf(source) {
  if (source === 'README.md') return 'index.html';
  const [, name] = /^(?:docs\/)?([\w-]+)(?:\.md|\/README\.md)$/.exec(source);
  return `${name.toLowerCase()}.html`;
}

/**
 * The document of a page. `assets`: the names of the site's style sheet, scripts and icon. `sections`: ids and titles of its
 * second-level headings.
 */
export function documentOf({ file, title, html, sections, assets, scripts = [] }) {
  const loaded = [assets.guide, ...scripts].map((name) => `<script type="module" src="${name}"></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Platen' ? title : `${title} · Platen`}</title>
<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="${assets.icon}">
${loaded.join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="index.html">Platen</a>
<form class="search" role="search" data-index="${assets.index}" hidden>
<label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="results" role="region" aria-label="Search results" aria-live="polite" hidden></div>
</form>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages">
<button type="button" aria-expanded="false" aria-controls="pages" hidden>Pages</button>
<div id="pages">${navigation(file, sections)}</div>
</nav>
<main id="content" tabindex="-1">
${html}
</main>
</div>
</body>
</html>
`;
}

function navigation(current, sections) {
  const entry = ([file, name]) => {
    if (file !== current) return `<li><a href="${file}">${name}</a></li>`;
    const inside = sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
    const list = inside.length > 0 ? `<ul class="inside">${inside.join('')}</ul>` : '';
    return `<li><a href="${file}" aria-current="page">${name}</a>${list}</li>`;
  };
  return GROUPS.map(({ title, pages }, i) => {
    const entries = pages.map(([source, name]) => [FILES.get(source), name]);
    const all = i === 0 ? [...entries, ...OWN_PAGES] : entries;
    return `<p>${title}</p><ul>${all.map(entry).join('')}</ul>`;
  }).join('');
}
