// Renders a Markdown page for the documentation site: headings with anchors, links between the site's pages, and the texts
// that the search looks through.
import { posix } from 'node:path';
import { Marked } from 'marked';
import { FILES } from './docs-pages.mjs';

/**
 * @param {string} source the page's path from the root
 * @param {string} markdown its text
 * @param {{ repository: string }} options where files that the site lacks can be read
 * @returns the page as HTML, its title, ids and titles of its second-level headings, the paths of its pictures from the
 *   root, and the texts under each heading for the search
 */
export function renderMarkdown(source, markdown, { repository }) {
  const counts = new Map();
  const pictures = new Set();
  const sections = [];
  /** The texts for the search, by heading. */
  const texts = [];

  const linkTo = (href) => {
    if (/^(?:[a-z]+:|#)/.test(href)) return href;
    const [path, anchor] = href.split('#');
    const target = posix.join(posix.dirname(source), path);
    const file = FILES.get(target) ?? `${repository}/blob/main/${target}`;
    return anchor === undefined ? file : `${file}#${anchor}`;
  };
  const pictureAt = (href) => {
    const path = posix.join(posix.dirname(source), href);
    pictures.add(path);
    return pictureFile(path);
  };
  const attributes = (html) =>
    html
      .replace(/\bsrc="([^"]+)"/g, (_, src) => `src="${pictureAt(src)}" loading="lazy"`)
      .replace(/\bhref="([^"]+)"/g, (_, href) => `href="${linkTo(href)}"`);

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const title = textOf(html);
        const id = anchorOf(title, counts);
        if (depth === 2) sections.push({ id, html: html.replace(/<\/?a\b[^>]*>/g, '') });
        texts.push({ id, title, parts: [], code: [] });
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(title)}”">#</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        return `<pre tabindex="0"><code${lang ? ` data-language="${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}</code></pre>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(linkTo(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${pictureAt(href)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      html: ({ text }) => attributes(text),
    },
  });

  const parts = marked.lexer(markdown).map((token) => {
    const html = marked.parser([token]);
    if (token.type === 'code') texts.at(-1)?.code.push(token.text);
    else if (token.type !== 'heading') texts.at(-1)?.parts.push(textOf(html));
    // wide tables scroll by themselves
    return token.type === 'table' ? `<div class="table" tabindex="0">${html}</div>` : html;
  });
  return {
    html: parts.join(''),
    title: texts[0].title,
    sections,
    pictures,
    texts: texts.map(({ id, title, parts: found, code }) => ({ id, title, text: joined(found), code: joined(code) })),
  };
}

/** The path of a picture on the site: `docs/visuals/a.webp` → `pictures/visuals/a.webp`. */
export function pictureFile(path) {
  return `pictures/${path.replace(/^docs\//, '')}`;
}

/** Returns the anchor of a heading, as GitHub makes it: a repeated heading's anchor ends in a number. */
function anchorOf(title, counts) {
  const anchor = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = counts.get(anchor) ?? 0;
  counts.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

const joined = (parts) => parts.join(' ').replace(/\s+/g, ' ').trim();

function textOf(html) {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/ +/g, ' ')
    .trim();
}

export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
