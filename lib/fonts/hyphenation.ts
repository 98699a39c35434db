// Loads the patterns that hyphenate the words of a language, each set once, when a text first needs it.
import { hyphenationPatterns } from '../contract/layers/hyphenation-languages.js';
import { RenderError } from '../errors.js';
import { host } from '../host.js';
import { hasPatterns, type Patterns, setPatterns } from '../text/hyphenation.js';

/** Loads the patterns of a language; throws RenderError `render_failed` where they can't be. */
export function loadHyphenation(language: string): void {
  const name = hyphenationPatterns(language);
  if (name === undefined || hasPatterns(name)) return;
  const { readHyphenation } = host();
  if (!readHyphenation) {
    const message = 'the library for browsers has no hyphenation patterns: use soft hyphens, or render on Node';
    throw new RenderError('render_failed', message);
  }
  setPatterns(name, readHyphenation(name) as Patterns);
}
