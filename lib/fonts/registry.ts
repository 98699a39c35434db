// A text layer → the faces that it needs, loaded: its own, then bundled fallbacks for the characters that it lacks.
// Faces are kept from payload to payload; a Latin text reads its own face and nothing else.
import type { TextLayer } from '../contract/layers.js';
import { RenderError } from '../errors.js';
import { Face } from '../text/face.js';
import {
  type Fallbacks,
  type FontStack,
  fallbackOrder,
  missingClusters,
  visibleCodePoints,
} from '../text/font-stack.js';
import { matchFace } from '../text/match-face.js';
import { isSharedByScripts } from '../text/script.js';
import { covers, type FontFace, familyOf, loadManifest, readFace, unpackFont } from './bundled.js';

/** What layout may add to a text: the end of one that was cut, and the hyphen of a soft one. */
const MAY_BE_ADDED = '…-';
/** Parsed custom fonts kept between payloads. */
const MAX_CUSTOM_FACES = 32;

type FontRequest = Pick<TextLayer, 'fontFamily' | 'fontWeight' | 'fontStyle' | 'customFontUrl'>;

/** Families, weights and styles whose face is remembered; families are users' text, of any number and length. */
const MAX_CHOICES = 256;
const MAX_KEY = 256;
/** Weights and styles whose fallbacks are remembered: what is asked for is one of the nine hundreds, most often. */
const MAX_CANDIDATES = 24;

/** What a family, weight and style come to among the bundled faces. */
interface Choice {
  readonly face: FontFace;
  readonly warning: string | undefined;
}

export interface LoadedStack {
  readonly stack: FontStack;
  /** What is doubtful about the family that was asked for. */
  readonly warning?: string;
}

export interface FontRegistry {
  /** The faces for `text`. `bytes` fetches the custom font. Throws RenderError when that is none, or can't be had. */
  resolveStack(request: FontRequest, text: string, bytes: (url: string) => Promise<Uint8Array>): Promise<LoadedStack>;
}

/** An empty store of faces, for as many payloads as you like. */
export function createFontRegistry(): FontRegistry {
  const bundled = new Map<string, Promise<Face>>();
  const custom = new Map<string, Face>();
  const choices = new Map<string, Choice>();
  const fallbacks = new Map<string, Candidates>();

  /** Remembered: a payload of many labels asks for the same few, and each search goes through all faces. */
  function choiceFor({ fontFamily, fontWeight, fontStyle }: FontRequest): Choice {
    const key = `${fontWeight} ${fontStyle} ${fontFamily}`;
    let choice = choices.get(key);
    if (!choice) {
      const { family, warning } = familyOf(fontFamily);
      choice = { face: matchFace(facesOf(family), fontWeight, fontStyle), warning };
      if (choices.size >= MAX_CHOICES) choices.clear();
      if (key.length <= MAX_KEY) choices.set(key, choice);
    }
    return choice;
  }

  function load(face: FontFace): Promise<Face> {
    let loading = bundled.get(face.file);
    if (!loading) {
      loading = readFace(face).then((bytes) => new Face(bytes, { trusted: true }));
      bundled.set(face.file, loading);
      // a file that could not be read may be readable next time
      loading.catch(() => bundled.delete(face.file));
    }
    return loading;
  }

  function candidates(request: FontRequest): Candidates {
    const key = `${request.fontWeight} ${request.fontStyle}`;
    const found = fallbacks.get(key) ?? candidatesFor(request);
    if (!fallbacks.has(key) && fallbacks.size >= MAX_CANDIDATES) fallbacks.clear();
    fallbacks.set(key, found);
    return found;
  }

  async function loadCustom(bytes: Uint8Array, { fontWeight, fontStyle }: FontRequest): Promise<Face> {
    const { createHash } = await import('node:crypto');
    const key = `${createHash('sha256').update(bytes).digest('hex')} ${fontWeight} ${fontStyle}`;
    const known = custom.get(key);
    if (known) return known;
    const { sanitizeFont } = await import('./sanitizer/sanitize.js');
    const face = new Face(sanitizeFont(await unpackFont(bytes)), {
      trusted: false,
      weight: fontWeight,
      italic: fontStyle === 'italic',
    });
    if (face.isEmpty) throw new RenderError('render_failed', 'received a broken font file: it has no characters');
    custom.set(key, face);
    for (const oldest of custom.keys()) if (custom.size > MAX_CUSTOM_FACES) custom.delete(oldest);
    return face;
  }

  return {
    async resolveStack(request, content, bytes) {
      const { fontStyle, customFontUrl } = request;
      const { face, warning } = choiceFor(request);
      const primary = customFontUrl ? await loadCustom(await bytes(customFontUrl), request) : await load(face);
      const missing = missingClusters(primary, content + MAY_BE_ADDED);
      if (missing.length === 0) return stackOf(primary, NO_FALLBACKS);
      const wanted = fallbacksFor(missing, candidates(request));
      const [text, symbols, emoji] = await Promise.all(
        [wanted.text, wanted.symbols, wanted.emoji].map((faces) => Promise.all(faces.map(load))),
      );
      return stackOf(primary, { text, symbols, emoji });

      function stackOf(own: Face, others: Fallbacks<Face>): LoadedStack {
        const stack = { primary: own, fallbacks: others, italic: fontStyle === 'italic' };
        return { stack, ...(warning !== undefined && !customFontUrl && { warning }) };
      }
    },
  };
}

function facesOf(family: string): FontFace[] {
  return loadManifest().faces.filter((face) => face.family === family);
}

/** The bundled families that are for symbols rather than for a script. */
const SYMBOLS = /\b(?:Symbols|Math)\b/;

const NO_FALLBACKS: Fallbacks<never> = { text: [], symbols: [], emoji: [] };

/** The bundled fallbacks of one weight and style, in their order, and the face that each cluster asked for is found in. */
interface Candidates {
  readonly faces: Fallbacks<FontFace>;
  readonly finder: Map<string, FontFace | undefined>;
}

/** Clusters remembered with their fallback face: an Arabic or Chinese text asks for its few hundred every time. */
const MAX_CLUSTERS = 4096;

function candidatesFor({ fontWeight, fontStyle }: FontRequest): Candidates {
  const { fallback, emoji } = loadManifest();
  const facesIn = (families: readonly string[]) =>
    families.map((family) => matchFace(facesOf(family), fontWeight, fontStyle));
  const faces = {
    text: facesIn(fallback.filter((family) => !SYMBOLS.test(family))),
    symbols: facesIn(fallback.filter((family) => SYMBOLS.test(family))),
    emoji: facesIn(emoji === undefined ? [] : [emoji]),
  };
  return { faces, finder: new Map() };
}

/** The fallback faces, in their order, that have any of the clusters which those asked before them lack. */
function fallbacksFor(clusters: readonly string[], { faces, finder }: Candidates): Fallbacks<FontFace> {
  const wanted = new Set<FontFace>();
  const shared: string[] = [];
  for (const cluster of clusters) {
    if (isSharedByScripts(cluster)) shared.push(cluster);
    else find(cluster);
  }
  // signs that scripts share need no face of their own where the letters' has them
  for (const cluster of shared) {
    const codePoints = visibleCodePoints(cluster);
    const isThere = faces.text.some((face) => wanted.has(face) && codePoints.every((code) => covers(face, code)));
    if (!isThere) find(cluster);
  }
  const chosen = (all: readonly FontFace[]) => all.filter((face) => wanted.has(face));
  return { text: chosen(faces.text), symbols: chosen(faces.symbols), emoji: chosen(faces.emoji) };

  function find(cluster: string): void {
    let face = finder.get(cluster);
    if (!face && !finder.has(cluster)) {
      const codePoints = visibleCodePoints(cluster);
      face = fallbackOrder(cluster, faces).find((candidate) => codePoints.every((code) => covers(candidate, code)));
      if (finder.size >= MAX_CLUSTERS) finder.clear();
      if (cluster.length <= MAX_KEY) finder.set(cluster, face);
    }
    if (face) wanted.add(face);
  }
}
