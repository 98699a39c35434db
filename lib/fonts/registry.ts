// Loads the faces that a text layer needs: the requested face, then bundled fallbacks for the characters that it lacks.
// Parsed faces are shared between payloads. A Latin text loads only the requested face.
import type { TextLayer } from '../contract/layers/index.js';
import type { FieldIssue } from '../contract/messages/issues.js';
import { RenderError } from '../errors.js';
import { host } from '../host.js';
import type { RunDecode } from '../stage-budget.js';
import { type Face, openFace } from '../text/face.js';
import {
  type Fallbacks,
  type FontStack,
  fallbackOrder,
  matchFace,
  missingClusters,
  shows,
  visibleCodePoints,
} from '../text/font-stack.js';
import { isSharedByScripts } from '../text/script.js';
import {
  covers,
  type FontFace,
  isSameFamily,
  loadManifest,
  prepareCoverage,
  readFace,
  resolveFamilies,
  unpackFont,
} from './bundled.js';
import { loadDictionaries } from './dictionaries.js';
import { loadTextEngine, textEngineGeneration } from './text-engine.js';
import { isVariableFont, readFamily, readWeight, type UserFont } from './user-fonts.js';

/** Characters that layout may add to a text: the ellipsis of a truncated line, and the hyphen at a soft hyphen. */
const LAYOUT_CHARACTERS = '…-';
/** Parsed custom fonts that are kept between payloads. */
const MAX_CUSTOM_FACES = 32;
/** Parsed user fonts that are kept: files, and weights of variable files. */
const MAX_USER_FACES = 128;

/** A font file that is loaded like a custom font, and named by its family. */
export interface FamilyFile {
  readonly family: string;
  /** CSS weight, 1–1000. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  readonly url: string;
}

export type FontRequest = Pick<
  TextLayer,
  'fontFamily' | 'fontWeight' | 'fontStyle' | 'customFontUrl' | 'fontFeatures' | 'fontVariations'
> & {
  /** Font files of families that are neither bundled nor the registry's own. */
  readonly familyFiles?: readonly FamilyFile[] | undefined;
};

/** Cached face matches, and characters of a cache key: family names are user input of any number and length. */
const MAX_CACHED_MATCHES = 256;
const MAX_KEY_LENGTH = 256;
/** Combinations of weight and style whose fallbacks are cached. Most requests use one of the nine multiples of 100. */
const MAX_CACHED_FALLBACKS = 24;

/** A face of a family: a bundled one, one of the user's, or a file of a workspace. */
type NamedFace = FontFace | UserFont | Pick<FamilyFile, 'url'>;

/** The faces that match the families of a list, a weight and a style, in the list's order; at least one. */
interface FaceMatch {
  readonly faces: readonly NamedFace[];
  readonly warning: FieldIssue<'unknown_font'> | undefined;
}

export interface LoadedStack {
  readonly stack: FontStack;
  /** A warning about the requested family. */
  readonly warning?: FieldIssue<'unknown_font'>;
}

export interface FontRegistry {
  /**
   * Loads the faces and dictionaries for `text`. `bytes` fetches the custom font. `runDecode` opens it within a limit of
   * processor time. Throws RenderError if it is malformed or can't be fetched.
   */
  resolveStack(
    request: FontRequest,
    text: string,
    bytes: (url: string) => Promise<Uint8Array>,
    runDecode?: RunDecode,
  ): Promise<LoadedStack>;
}

/** Creates an empty registry, which any number of payloads can share. `userFonts` come before bundled ones of their families. */
export function createFontRegistry(userFonts: readonly UserFont[] = []): FontRegistry {
  const userFamilies = [...new Set(userFonts.map(({ family }) => family))];
  const bundled = new Map<string, Promise<Face>>();
  const custom = new Map<string, Face>();
  const userFaces = new Map<string, Face>();
  const matches = new Map<string, FaceMatch>();
  const fallbacks = new Map<string, FallbackSet>();

  /** Cached: a payload with many labels requests the same few faces, and each search is linear in the number of faces. */
  function matchRequest({ fontFamily, fontWeight, fontStyle, familyFiles = [] }: FontRequest): FaceMatch {
    const key = `${fontWeight} ${fontStyle} ${familyFiles.length > 0 ? JSON.stringify(familyFiles) : ''}${fontFamily}`;
    let match = matches.get(key);
    if (!match) {
      const files = familyFiles.map(({ family }) => family);
      const { families, warning } = resolveFamilies(fontFamily, [...files, ...userFamilies]);
      const faces = families.map((family): NamedFace => {
        const own = familyFiles.filter((each) => isSameFamily(each.family, family));
        if (own.length > 0) return matchFace(own, fontWeight, fontStyle);
        const users = userFonts.filter((font) => isSameFamily(font.family, family));
        const candidates: readonly (FontFace | UserFont)[] = users.length > 0 ? users : facesOf(family);
        return matchFace(candidates, fontWeight, fontStyle);
      });
      match = { faces, warning };
      if (matches.size >= MAX_CACHED_MATCHES) matches.clear();
      if (key.length <= MAX_KEY_LENGTH) matches.set(key, match);
    }
    return match;
  }

  let generation = textEngineGeneration();
  /** Faces of an engine that was replaced are not used again. */
  function forgetOldFaces(): void {
    if (generation === textEngineGeneration()) return;
    generation = textEngineGeneration();
    for (const faces of [bundled, custom, userFaces]) faces.clear();
  }

  function load(face: FontFace): Promise<Face> {
    let loading = bundled.get(face.file);
    if (!loading) {
      loading = Promise.all([readFace(face), loadTextEngine()]).then(([bytes]) =>
        openFace(bytes, { trusted: true, name: faceName(face) }),
      );
      bundled.set(face.file, loading);
      // A failed read is not cached: the file may be readable next time.
      loading.catch(() => bundled.delete(face.file));
    }
    return loading;
  }

  async function openUserFont(font: UserFont, request: FontRequest): Promise<Face> {
    const index = userFonts.indexOf(font);
    const key = font.isVariable ? `${index} ${axesKey(request)}` : String(index);
    const cached = userFaces.get(key);
    if (cached) return cached;
    await loadTextEngine();
    const name = faceName(font.isVariable ? { ...font, weight: request.fontWeight } : font);
    const face = openFace(font.bytes, { trusted: false, name, ...axesOf(request) });
    userFaces.set(key, face);
    for (const oldest of userFaces.keys()) if (userFaces.size > MAX_USER_FACES) userFaces.delete(oldest);
    return face;
  }

  function fallbacksOf(request: FontRequest): FallbackSet {
    const key = `${request.fontWeight} ${request.fontStyle}`;
    const found = fallbacks.get(key) ?? createFallbackSet(request);
    if (!fallbacks.has(key) && fallbacks.size >= MAX_CACHED_FALLBACKS) fallbacks.clear();
    fallbacks.set(key, found);
    return found;
  }

  async function loadCustom(bytes: Uint8Array, request: FontRequest, runDecode?: RunDecode): Promise<Face> {
    const key = `${await host().digest(bytes)} ${axesKey(request)}`;
    const cached = custom.get(key);
    if (cached) return cached;
    const open = () => openCustom(bytes, request);
    const face = await (runDecode ? runDecode('font', open) : open());
    custom.set(key, face);
    for (const oldest of custom.keys()) if (custom.size > MAX_CUSTOM_FACES) custom.delete(oldest);
    return face;
  }

  async function openCustom(bytes: Uint8Array, request: FontRequest): Promise<Face> {
    const { sanitizeFont } = await import('./sanitizer/sanitize.js');
    const unpacked = await unpackFont(bytes);
    const sfnt = sanitizeFont(unpacked);
    await loadTextEngine();
    const family = readFamily(unpacked);
    const weight = isVariableFont(sfnt) ? request.fontWeight : readWeight(sfnt);
    const name = family === undefined ? undefined : faceName({ family, weight });
    const face = openFace(sfnt, { trusted: false, name, ...axesOf(request) });
    if (face.isEmpty) throw new RenderError('render_failed', 'received a malformed font file: it has no characters');
    return face;
  }

  return {
    async resolveStack(request, content, bytes, runDecode) {
      forgetOldFaces();
      const { fontStyle, customFontUrl, fontFeatures: features } = request;
      await loadDictionaries(content);
      const { faces, warning } = matchRequest(request);
      const open = async (face: NamedFace): Promise<Face> => {
        if ('url' in face) return await loadCustom(await bytes(face.url), request, runDecode);
        return 'file' in face ? await load(face) : await openUserFont(face, request);
      };
      const primary = await open(customFontUrl ? { url: customFontUrl } : faces[0]);
      // a file replaces a single family; the families of a list come after it
      const others = customFontUrl ? (faces.length > 1 ? faces : []) : faces.slice(1);
      let missing = missingClusters(primary, content + LAYOUT_CHARACTERS);
      if (missing.length > 0) await prepareCoverage();
      const named: Face[] = [];
      for (const other of others) {
        if (missing.length === 0) break;
        // a bundled face is not read unless it has something of the text
        if ('file' in other && !missing.some((cluster) => coversCluster(other, cluster))) continue;
        const face = await open(other);
        const rest = missing.filter((cluster) => !shows(face, cluster));
        if (rest.length < missing.length) named.push(face);
        missing = rest;
      }
      if (missing.length === 0) return buildStack(primary, NO_FALLBACKS);
      const selection = selectFallbacks(missing, fallbacksOf(request));
      const [text, symbols, emoji] = await Promise.all(
        [selection.text, selection.symbols, selection.emoji].map((faces) => Promise.all(faces.map(load))),
      );
      return buildStack(primary, { text, symbols, emoji });

      function buildStack(own: Face, fallbacks: Fallbacks<Face>): LoadedStack {
        const stack = { primary: own, named, fallbacks, italic: fontStyle === 'italic', features };
        return { stack, ...(warning !== undefined && !customFontUrl && { warning }) };
      }
    },
  };
}

/** Whether the face has every visible character of the cluster. Call `prepareCoverage` first. */
function coversCluster(face: FontFace, cluster: string): boolean {
  return visibleCodePoints(cluster).every((codePoint) => covers(face, codePoint));
}

/** The settings of a variable font's axes. */
function axesOf({ fontWeight, fontStyle, fontVariations }: FontRequest) {
  return { weight: fontWeight, italic: fontStyle === 'italic', variations: fontVariations };
}

function faceName({ family, weight }: Pick<FontFace, 'family' | 'weight'>): string {
  return `${family} ${weight}`;
}

function axesKey(request: FontRequest): string {
  return JSON.stringify(axesOf(request));
}

function facesOf(family: string): FontFace[] {
  return loadManifest().faces.filter((face) => face.family === family);
}

/** Matches the bundled families for symbols rather than for a script. */
const SYMBOL_FAMILY = /\b(?:Symbols|Math)\b/;

const NO_FALLBACKS: Fallbacks<never> = { text: [], symbols: [], emoji: [] };

/** The bundled fallbacks of one weight and style, in order, and a cache of the face that covers each cluster. */
interface FallbackSet {
  readonly faces: Fallbacks<FontFace>;
  readonly faceByCluster: Map<string, FontFace | undefined>;
}

/** Cached fallback faces by cluster: an Arabic or Chinese text repeats the same few hundred clusters. */
const MAX_CACHED_CLUSTERS = 4096;

function createFallbackSet({ fontWeight, fontStyle }: FontRequest): FallbackSet {
  const { fallback, emoji } = loadManifest();
  const facesIn = (families: readonly string[]) =>
    families.map((family) => matchFace(facesOf(family), fontWeight, fontStyle));
  const faces = {
    text: facesIn(fallback.filter((family) => !SYMBOL_FAMILY.test(family))),
    symbols: facesIn(fallback.filter((family) => SYMBOL_FAMILY.test(family))),
    emoji: facesIn(emoji === undefined ? [] : [emoji]),
  };
  return { faces, faceByCluster: new Map() };
}

/** Selects the fallback faces, in order: for each cluster the first face that covers it. */
function selectFallbacks(clusters: readonly string[], { faces, faceByCluster }: FallbackSet): Fallbacks<FontFace> {
  const selection = new Set<FontFace>();
  const shared: string[] = [];
  for (const cluster of clusters) {
    if (isSharedByScripts(cluster)) shared.push(cluster);
    else selectFace(cluster);
  }
  // Characters shared by scripts (punctuation, digits) use a face that is already selected if one covers them.
  for (const cluster of shared) {
    const isCovered = faces.text.some((face) => selection.has(face) && coversCluster(face, cluster));
    if (!isCovered) selectFace(cluster);
  }
  const selected = (all: readonly FontFace[]) => all.filter((face) => selection.has(face));
  return { text: selected(faces.text), symbols: selected(faces.symbols), emoji: selected(faces.emoji) };

  function selectFace(cluster: string): void {
    let face = faceByCluster.get(cluster);
    if (!face && !faceByCluster.has(cluster)) {
      face = fallbackOrder(cluster, faces).find((candidate) => coversCluster(candidate, cluster));
      if (faceByCluster.size >= MAX_CACHED_CLUSTERS) faceByCluster.clear();
      if (cluster.length <= MAX_KEY_LENGTH) faceByCluster.set(cluster, face);
    }
    if (face) selection.add(face);
  }
}
