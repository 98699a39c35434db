// Describes a font file for `platen fonts inspect`. opentype.js reads the tables that the sanitizer lets through, and the
// names. It works on untrusted bytes, so it runs in a render process (workers/inspect-asset.ts).
import { RenderError } from '../errors.js';
import { visibleCodePoints } from '../text/font-stack.js';
import { readTables } from '../text/opentype/data.js';
import { graphemesOf } from '../unicode/graphemes.js';
import { unpackFont } from './container.js';
import { loadLanguages } from './languages.js';
import { buildSfnt, viewOf } from './sfnt.js';
import { charactersOf, describeCharacters } from './typeface.js';
import { cleanName, readFamily, readWeight } from './user-fonts.js';

export interface FontAxis {
  readonly tag: string;
  readonly name: string;
  readonly min: number;
  readonly default: number;
  readonly max: number;
}

/** Plain data: it crosses from a render process. */
export interface FontReport {
  readonly format: 'TTF' | 'OTF' | 'TTC' | 'WOFF' | 'WOFF2';
  /** Faces of a collection, of which the first is read, as in renders; otherwise 1. */
  readonly faces: number;
  /** Texts of the name table, in English if it has that: fontFamily, fullName, version, designer, … */
  readonly names: Readonly<Record<string, string>>;
  /** The CSS weight, or the lowest and the highest one of a font with the axis wght. */
  readonly weights: readonly number[];
  readonly style: 'normal' | 'italic';
  readonly axes: readonly FontAxis[];
  /** Tags of GSUB and GPOS. */
  readonly features: readonly string[];
  /** Tables of colour glyphs; renders draw those of COLR. */
  readonly color: readonly string[];
  /** ISO 15924 codes, the main script first. */
  readonly scripts: readonly string[];
  /** Languages of which it has every letter. */
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  readonly glyphs: number;
  readonly characters: number;
  readonly licence: {
    readonly text?: string;
    readonly url?: string;
    /** Embedding permission from OS/2 fsType. */
    readonly embedding: string;
  };
  /** The characters of the text that it lacks, each once; absent without a text. */
  readonly missing?: readonly string[];
}

/** Throws RenderError `render_failed` for a file that the sanitizer rejects, or that opentype.js can't read. */
export async function reportFont(file: Uint8Array, text?: string): Promise<FontReport> {
  const { sanitizeFont } = await import('./sanitizer/sanitize.js');
  const unpacked = await unpackFont(file);
  const sfnt = sanitizeFont(unpacked);
  const font = await parse(sfnt, unpacked);
  const has = charactersOf(sfnt);
  const { scripts, languages } = describeCharacters(readFamily(unpacked) ?? '', has, await loadLanguages());
  const names = namesOf(font);
  const axes = axesOf(font);
  const weights = axes.filter(({ tag }) => tag === 'wght').flatMap(({ min, max }) => [min, max]);
  const { license, licenseURL, ...others } = names;
  return {
    ...containerOf(file),
    names: others,
    weights: weights.length > 0 ? weights : [readWeight(sfnt)],
    style: ((font.tables.os2?.fsSelection ?? 0) & 1) === 1 ? 'italic' : 'normal',
    axes,
    features: [
      ...new Set([font.tables.gsub, font.tables.gpos].flatMap((table) => table?.features ?? []).map(tagOf)),
    ].sort(),
    color: colorTables(sfnt, unpacked),
    scripts,
    languages: languages.map(({ code, name }) => ({ code, name })),
    glyphs: font.numGlyphs,
    characters: Object.keys(font.tables.cmap?.glyphIndexMap ?? {}).length,
    licence: {
      ...(license !== undefined && { text: license }),
      ...(licenseURL !== undefined && { url: licenseURL }),
      embedding: embeddingOf(font.tables.os2?.fsType ?? 0),
    },
    ...(text !== undefined && { missing: missingIn(text, has) }),
  };
}

/** The part of opentype.js 2.0 that is used; its published types are of 1.3. */
interface Parsed {
  readonly numGlyphs: number;
  readonly names: Readonly<Record<string, unknown>>;
  readonly tables: {
    readonly os2?: { readonly fsSelection?: number; readonly fsType?: number };
    readonly cmap?: { readonly glyphIndexMap?: object };
    readonly gsub?: { readonly features?: readonly { readonly tag: string }[] };
    readonly gpos?: { readonly features?: readonly { readonly tag: string }[] };
    readonly fvar?: { readonly axes?: readonly ParsedAxis[] };
  };
}

interface ParsedAxis {
  readonly tag: string;
  readonly minValue: number;
  readonly defaultValue: number;
  readonly maxValue: number;
  readonly name?: unknown;
}

/** Tables for opentype.js: those that it needs, and those that the report is about. */
const PARSED_TABLES = [
  ...['head', 'hhea', 'hmtx', 'maxp', 'cmap', 'post', 'OS/2', 'GSUB', 'GPOS', 'fvar'],
  ...['glyf', 'loca', 'CFF ', 'CFF2'],
];
/** An empty name table; opentype.js needs the table, and renders don't. */
const NO_NAMES = Uint8Array.of(0, 0, 0, 0, 0, 6);

async function parse(sfnt: Uint8Array, unpacked: Uint8Array): Promise<Parsed> {
  const { default: opentype } = await import('opentype.js');
  const encoder = new TextEncoder();
  const tables = [...readTables(sfnt)]
    .filter(([tag]) => PARSED_TABLES.includes(tag))
    .map(([tag, { bytes }]) => ({ tag: encoder.encode(tag), checksum: 0, data: bytes }));
  const names = readTables(unpacked).get('name')?.bytes ?? NO_NAMES;
  tables.push({ tag: encoder.encode('name'), checksum: 0, data: names });
  const rebuilt = buildSfnt(viewOf(sfnt).getUint32(0), tables);
  try {
    return opentype.parse(rebuilt.buffer as ArrayBuffer, { lowMemory: true }) as unknown as Parsed;
  } catch (cause) {
    // the messages of other errors are about the parser
    const isTold = cause instanceof Error && cause.name === 'Error';
    const reason = isTold ? cleanName(cause.message) : 'its tables are damaged';
    throw new RenderError('render_failed', `received a malformed font file: ${reason}`, { cause });
  }
}

/** Names of these platforms, the first that has a name. */
const PLATFORMS = ['windows', 'unicode', 'macintosh'];
/** Characters of a name; a licence is longer than that. */
const MAX_TEXT_LENGTH = 1000;

function namesOf({ names }: Parsed): Record<string, string> {
  const found = new Map<string, string>();
  for (const platform of PLATFORMS) {
    for (const [field, value] of Object.entries((names[platform] ?? {}) as object)) {
      const text = englishOf(value);
      if (text !== '' && /^[a-z]\w*$/i.test(field) && !found.has(field)) found.set(field, text);
    }
  }
  return Object.fromEntries(found);
}

/** A name by languages: in English, else in the first one. */
function englishOf(value: unknown): string {
  const texts = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const text = texts.en ?? Object.values(texts)[0];
  return typeof text === 'string' ? cleanName(text, MAX_TEXT_LENGTH) : '';
}

function axesOf({ tables }: Parsed): FontAxis[] {
  return (tables.fvar?.axes ?? []).map((axis) => {
    const { minValue: min, defaultValue, maxValue: max } = axis;
    return { tag: tagOf(axis), name: englishOf(axis.name), min, default: defaultValue, max };
  });
}

const tagOf = ({ tag }: { readonly tag: string }) => cleanName(tag);

function containerOf(file: Uint8Array): Pick<FontReport, 'format' | 'faces'> {
  switch (String.fromCharCode(...file.subarray(0, 4))) {
    case 'ttcf':
      return { format: 'TTC', faces: viewOf(file).getUint32(8) };
    case 'wOFF':
      return { format: 'WOFF', faces: 1 };
    case 'wOF2':
      return { format: 'WOFF2', faces: 1 };
    case 'OTTO':
      return { format: 'OTF', faces: 1 };
    default:
      return { format: 'TTF', faces: 1 };
  }
}

/** Lists the colour tables of the file; COLR only if the sanitizer lets it through. */
function colorTables(sfnt: Uint8Array, unpacked: Uint8Array): string[] {
  const colr = readTables(sfnt).get('COLR');
  const others = readTables(unpacked);
  return [
    ...(colr ? [`COLR ${colr.u16(0)}`] : []),
    ...['SVG ', 'CBDT', 'sbix'].filter((tag) => others.has(tag)).map((tag) => tag.trim()),
  ];
}

/** OpenType 1.9 "OS/2" fsType: the least restrictive of the bits that are set. */
function embeddingOf(fsType: number): string {
  if ((fsType & 0xf) === 0) return 'installable';
  if (fsType & 8) return 'editable';
  if (fsType & 4) return 'preview and print';
  return 'restricted';
}

function missingIn(text: string, has: (codePoint: number) => boolean): string[] {
  const clusters = new Set(graphemesOf(text));
  return [...clusters].filter((cluster) => !visibleCodePoints(cluster).every(has));
}
