// Searches the texts of the documentation. Every word of a query must be in a section, in its heading or in its page's title;
// headings count more than texts, and these more than code.

/** A section of a page: file, anchor, title of the page, title of the section, text, blocks of code. */
export type Section = readonly [file: string, anchor: string, page: string, title: string, text: string, code: string];

export interface Hit {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  /** The text around the first word of the query that it has. */
  readonly excerpt: string;
}

const MAX_HITS = 20;
/** Characters before and after the word that an excerpt is about. */
const BEFORE = 40;
const AFTER = 120;
const WEIGHTS = { title: 12, page: 8, text: 1, code: 0.2 };
/** A text that has a word more often is no better. */
const MAX_COUNT = 4;

/** The sections that have all words of `query`, best first; at most 20. */
export function search(sections: readonly Section[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ section: [file, anchor, page, title, text, code] }) => {
      const hasWord = words.some((word) => text.toLowerCase().includes(word));
      return { url: `${file}#${anchor}`, page, title, excerpt: excerptOf(hasWord ? text : code || text, words) };
    });
}

export function wordsOf(query: string): string[] {
  return query.toLowerCase().match(/[\p{L}\p{N}_:.-]+/gu) ?? [];
}

function scoreOf([, , page, title, text, code]: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const own =
      WEIGHTS.title * matchOf(title.toLowerCase(), word) +
      WEIGHTS.page * matchOf(page.toLowerCase(), word) +
      WEIGHTS.text * matchOf(text.toLowerCase(), word) +
      WEIGHTS.code * matchOf(code.toLowerCase(), word);
    if (own === 0) return 0;
    score += own;
  }
  return score;
}

/** How well `text` has `word`: its start of a word counts twice what its middle does. */
function matchOf(text: string, word: string): number {
  let sum = 0;
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < MAX_COUNT; at = text.indexOf(word, at + 1), count++) {
    sum += at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!) ? 2 : 1;
  }
  return sum;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = found.length > 0 ? Math.min(...found) : 0;
  const from = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const start = from > at ? at : from;
  const part = text.slice(start, at + AFTER);
  return `${start > 0 ? '… ' : ''}${part}${at + AFTER < text.length ? ' …' : ''}`;
}
