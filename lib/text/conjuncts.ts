// Conjuncts of the Indic scripts: the clusters that one face must show as a whole.
import { LETTER } from '../unicode/data.js';
import { graphemesOf } from '../unicode/graphemes.js';
import { hasProperty } from '../unicode/properties.js';

/** Viramas, which join a consonant to the next one: those of Devanagari to Sinhala, of Burmese and of Khmer. */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]/;
const ENDS_IN_VIRAMA = new RegExp(`${VIRAMA.source}\\u200d?$`);

/** The grapheme clusters of `text`, with conjuncts joined, since one face must show them. UAX #29 splits some, as in Tamil. */
export function conjunctsOf(text: string): string[] {
  const clusters = graphemesOf(text);
  if (!VIRAMA.test(text)) return clusters;
  const joined: string[] = [];
  clusters.forEach((cluster, i) => {
    if (i > 0 && ENDS_IN_VIRAMA.test(clusters[i - 1]) && hasProperty(cluster.codePointAt(0)!, LETTER))
      joined[joined.length - 1] += cluster;
    else joined.push(cluster);
  });
  return joined;
}
