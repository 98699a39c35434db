// Searches the texts of the documentation. A section matches if every word of the query is in its text, its heading or its
// page's title. Headings count more than texts, and texts more than code.

/** A section of a page: file, anchor, title of the page, title of the section, text, code blocks. */
export type Section = readonly [file: string, anchor: string, page: string, title: string, text: string, code: string];

export interface Hit {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  /** The text around the first word of the query that it contains. */
  readonly excerpt: string;
}

const MAX_HITS = 20;
/** Number of characters of an excerpt before and after the word. */
const BEFORE = 40;
const AFTER = 120;
const WEIGHTS = { title: 12, page: 8, text: 1, code: 0.2 };
/** A word counts at most this many times in one text. */
const MAX_COUNT = 4;

/** Returns the sections that contain all words of `query`, best first; at most 20. */
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

/** Scores how well `text` matches `word`: a match at the start of a word counts twice one in the middle. */
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
