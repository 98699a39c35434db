// A text layer → the faces that it needs, loaded: its own, then bundled fallbacks for the characters that it lacks.
// Faces are kept from payload to payload; a Latin text reads its own face and nothing else.
import { createHash } from 'node:crypto';
import type { TextLayer } from '../contract/layers.js';
import { RenderError } from '../errors.js';
import { Face } from '../text/face.js';
import { matchFace } from '../text/match.js';
import { type Fallbacks, type FontStack, fallbackOrder, missingClusters, visibleCodePoints } from '../text/stack.js';
import { covers, type FontFace, familyOf, loadManifest, readFace, unpackFont } from './fonts.js';

/** What layout may add to a text: the end of one that was cut, and the hyphen of a soft one. */
const MAY_BE_ADDED = '…-';
/** Parsed custom fonts kept between payloads. */
const MAX_CUSTOM_FACES = 32;

type FontRequest = Pick<TextLayer, 'fontFamily' | 'fontWeight' | 'fontStyle' | 'customFontUrl'>;

export interface LoadedStack {
  readonly stack: FontStack;
  /** What is doubtful about the family that was asked for. */
  readonly warning?: string;
}

export interface Typefaces {
  /** The faces for `text`. `bytes` fetches the custom font. Throws RenderError when that is none, or can't be had. */
  stackFor(request: FontRequest, text: string, bytes: (url: string) => Promise<Uint8Array>): Promise<LoadedStack>;
}

/** An empty store of faces, for as many payloads as you like. */
export function createTypefaces(): Typefaces {
  const bundled = new Map<string, Promise<Face>>();
  const custom = new Map<string, Face>();

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

  async function loadCustom(bytes: Uint8Array, { fontWeight, fontStyle }: FontRequest): Promise<Face> {
    const key = `${createHash('sha256').update(bytes).digest('hex')} ${fontWeight} ${fontStyle}`;
    const known = custom.get(key);
    if (known) return known;
    const face = new Face(await unpackFont(bytes), {
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
    async stackFor(request, content, bytes) {
      const { fontWeight, fontStyle, customFontUrl } = request;
      const { family, warning } = familyOf(request.fontFamily);
      const chosen = matchFace(facesOf(family), fontWeight, fontStyle);
      const primary = customFontUrl ? await loadCustom(await bytes(customFontUrl), request) : await load(chosen);
      const wanted = fallbacksFor(missingClusters(primary, content + MAY_BE_ADDED), request);
      const [text, symbols, emoji] = await Promise.all(
        [wanted.text, wanted.symbols, wanted.emoji].map((faces) => Promise.all(faces.map(load))),
      );
      const stack = { primary, fallbacks: { text, symbols, emoji }, italic: fontStyle === 'italic' };
      return { stack, ...(warning !== undefined && !customFontUrl && { warning }) };
    },
  };
}

function facesOf(family: string): FontFace[] {
  return loadManifest().faces.filter((face) => face.family === family);
}

/** The bundled families that are for symbols rather than for a script. */
const SYMBOLS = /\b(?:Symbols|Math)\b/;

/** The fallback faces, in their order, that have any of the clusters which those asked before them lack. */
function fallbacksFor(clusters: readonly string[], { fontWeight, fontStyle }: FontRequest): Fallbacks<FontFace> {
  const { fallback, emoji } = loadManifest();
  const facesIn = (families: readonly string[]) =>
    families.map((family) => matchFace(facesOf(family), fontWeight, fontStyle));
  const all: Fallbacks<FontFace> = {
    text: facesIn(fallback.filter((family) => !SYMBOLS.test(family))),
    symbols: facesIn(fallback.filter((family) => SYMBOLS.test(family))),
    emoji: facesIn(emoji === undefined ? [] : [emoji]),
  };
  const wanted = new Set<FontFace>();
  for (const cluster of clusters) {
    const codePoints = visibleCodePoints(cluster);
    const face = fallbackOrder(cluster, all).find((candidate) => codePoints.every((code) => covers(candidate, code)));
    if (face) wanted.add(face);
  }
  const chosen = (faces: readonly FontFace[]) => faces.filter((face) => wanted.has(face));
  return { text: chosen(all.text), symbols: chosen(all.symbols), emoji: chosen(all.emoji) };
}
