// Loads the font files that the user of the product adds to the bundled families: from memory or from files.
import { formatReceived } from '../contract/json/describe.js';
import { type Detail, RenderError } from '../errors.js';
import { host } from '../host.js';
import { openFace } from '../text/face.js';
import { OTHER } from '../unicode/data.js';
import { hasProperty } from '../unicode/properties.js';
import { unpackFont } from './container.js';
import { loadTextEngine } from './text-engine.js';

/** A font file, as bytes or as a path. What is not given is read from the file. */
export interface FontSource {
  readonly data?: Uint8Array;
  readonly path?: string;
  readonly family?: string;
  /** CSS weight, 1–1000. */
  readonly weight?: number;
  readonly style?: 'normal' | 'italic';
}

/** A sanitized font. Plain data: it crosses to a worker process. */
export interface UserFont {
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** Whether it has axes, so that one file serves several weights. */
  readonly isVariable: boolean;
  /** SFNT. */
  readonly bytes: Uint8Array;
}

export const FONT_EXTENSION = /\.(?:ttf|otf|ttc|woff2?)$/i;

/** Throws RenderError `invalid_request`, whose message and details name every file that is not a valid font. */
export async function loadUserFonts(sources: readonly FontSource[]): Promise<UserFont[]> {
  const results = await Promise.allSettled(sources.map(loadUserFont));
  const details = results.flatMap((result, i): Detail[] => {
    if (result.status === 'fulfilled') return [];
    const { data, path } = sources[i] ?? {};
    const place = data === undefined && path !== undefined ? path : `fonts[${i}]`;
    return [{ code: 'asset_failed', path: place, message: reasonOf(result.reason) }];
  });
  if (details.length > 0) {
    const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
    throw new RenderError('invalid_request', message, { details });
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

const SYSTEM_REASONS = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'is not a folder'],
  ['EISDIR', 'is a folder'],
  ['EACCES', "can't be read: permission denied"],
]);

export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  return SYSTEM_REASONS.get(code ?? '') ?? message;
}

/** Throws RenderError, or the file system's error. */
export async function loadUserFont({ data, path, family, weight, style }: FontSource): Promise<UserFont> {
  checkOption('family', family, 'a string that is not empty', (value) => typeof value === 'string' && /\S/.test(value));
  checkOption('weight', weight, 'a number from 1 to 1000', (value) => Number(value) >= 1 && Number(value) <= 1000);
  checkOption('style', style, '"normal" or "italic"', (value) => value === 'normal' || value === 'italic');
  if (data === undefined && path === undefined) throw new RenderError('invalid_request', 'expected data or path');
  checkOption('data', data, 'a Uint8Array', (value) => value instanceof Uint8Array);
  const sfnt = await unpackFont(data ?? (await readFontAt(path!)));
  // imported on first use: few programs add fonts
  const { sanitizeFont } = await import('./sanitizer/sanitize.js');
  const bytes = sanitizeFont(sfnt);
  await loadTextEngine();
  const face = openFace(bytes, { trusted: false });
  if (face.isEmpty) throw new RenderError('invalid_request', 'received a malformed font file: it has no characters');
  const named = family ?? readFamily(sfnt) ?? (path && baseName(path).replace(FONT_EXTENSION, ''));
  if (!named) throw new RenderError('invalid_request', 'the font has no name: give its family');
  return {
    family: named.trim(),
    weight: weight ?? readWeight(bytes),
    style: style ?? (face.isItalic ? 'italic' : 'normal'),
    isVariable: isVariableFont(bytes),
    bytes,
  };
}

/** The weight that the font has, or has without axis settings. */
export function readWeight(sfnt: Uint8Array): number {
  const os2 = findTable(sfnt, 'OS/2');
  const weight = os2 && os2.byteLength >= 6 ? os2.getUint16(4) : 400;
  return weight >= 1 && weight <= 1000 ? weight : 400;
}

export function isVariableFont(sfnt: Uint8Array): boolean {
  return findTable(sfnt, 'fvar') !== undefined;
}

function readFontAt(path: string): Promise<Uint8Array> {
  const { files } = host();
  if (!files) throw new RenderError('invalid_request', 'path: there are no local files here; give the font as data');
  return files.readWhole(path);
}

const baseName = (path: string) => path.slice(path.search(/[^/\\]*$/));

function checkOption(name: string, value: unknown, expected: string, isValid: (value: unknown) => boolean): void {
  if (value === undefined || isValid(value)) return;
  throw new RenderError('invalid_request', `${name}: received ${formatReceived(value)}, expected ${expected}`);
}

/** Name IDs of OpenType 1.9 "name": the typographic family, else the family. */
const FAMILY_IDS = [16, 1];
const WINDOWS = 3;
const UNICODE = 0;
const ENGLISH = 0x409;

/** The family in the name table, in English where it has that; undefined without a readable name. */
export function readFamily(sfnt: Uint8Array): string | undefined {
  try {
    const table = findTable(sfnt, 'name');
    if (!table) return undefined;
    const count = table.getUint16(2);
    const storage = table.getUint16(4);
    const found: { readonly rank: number; readonly text: string }[] = [];
    for (let record = 6; record < 6 + 12 * count; record += 12) {
      const [platform, , language, id, length, offset] = [0, 2, 4, 6, 8, 10].map((at) => table.getUint16(record + at));
      if (!FAMILY_IDS.includes(id) || (platform !== WINDOWS && platform !== UNICODE)) continue;
      const start = table.byteOffset + storage + offset;
      if (storage + offset + length > table.byteLength) continue;
      const text = cleanName(new TextDecoder('utf-16be').decode(new Uint8Array(table.buffer, start, length)));
      const rank = 2 * FAMILY_IDS.indexOf(id) + (platform === WINDOWS && language !== ENGLISH ? 1 : 0);
      if (text !== '') found.push({ rank, text });
    }
    return found.sort((a, b) => a.rank - b.rank)[0]?.text;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Characters of a family's name. A font may claim 32,767. */
const MAX_NAME_LENGTH = 100;

/** The name on one line, without control characters: lists and logs print it. */
export function cleanName(name: string, maxLength = MAX_NAME_LENGTH): string {
  return name
    .replace(/[^ -~]/gu, (character) => (hasProperty(character.codePointAt(0)!, OTHER) ? ' ' : character))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim();
}

/** A table of an SFNT file whose directory has been checked; undefined if it is absent or extends past the file. */
function findTable(sfnt: Uint8Array, wanted: string): DataView | undefined {
  const view = new DataView(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength);
  for (let record = 12; record < 12 + 16 * view.getUint16(4); record += 16) {
    if (String.fromCharCode(...sfnt.subarray(record, record + 4)) !== wanted) continue;
    const [start, length] = [view.getUint32(record + 8), view.getUint32(record + 12)];
    return start + length <= sfnt.length ? new DataView(sfnt.buffer, sfnt.byteOffset + start, length) : undefined;
  }
  return undefined;
}
