// The fonts of a document whose text is live: which characters it has in each face, and at the end their subsets as WOFF2.
import { encodeBase64 } from '../bytes/base64.js';
import { licenceOf } from '../fonts/embedding/licence.js';
import { loadSubsetter } from '../fonts/embedding/subset.js';
import { packTables, TEXT_TABLES } from '../fonts/embedding/tables.js';
import { loadFontCompressor } from '../fonts/embedding/woff2.js';
import { hasWebAssembly } from '../kernels/kernels.js';
import type { RunText } from '../paint/target.js';
import { type Face, openFace, type ShapeOptions } from '../text/face.js';

interface LiveFont {
  readonly family: string;
  readonly codePoints: Set<number>;
  readonly features: Set<string>;
}

export class LiveFonts {
  private readonly fonts = new Map<Face, LiveFont>();
  /** The classes of OpenType features, by their settings in CSS. */
  private readonly classes = new Map<string, string>();
  private rules = '';
  /** The subsets, opened. */
  private readonly subsets = new Map<Face, Face>();
  /** Why texts are outlines, each once. */
  readonly problems = new Set<string>();

  constructor(private readonly prefix: string) {}

  /** Uses characters in a face. */
  use(face: Face, text: string, features: RunText['features'] = {}): void {
    let font = this.fonts.get(face);
    if (!font) {
      const family = `${this.prefix}f${this.fonts.size.toString(36)}`;
      font = { family, codePoints: new Set(), features: new Set() };
      this.fonts.set(face, font);
    }
    for (const character of text + shaperForms(text)) font.codePoints.add(character.codePointAt(0)!);
    for (const [tag, value] of Object.entries(features)) if (value !== 0) font.features.add(tag);
  }

  /** The family of a face; undefined if it can't be embedded. */
  familyOf(face: Face): string | undefined {
    return this.fonts.get(face)?.family;
  }

  /** Whether the subset has the glyphs and places that the face has for this text. */
  isShapedAlike(face: Face, text: string, options: ShapeOptions): boolean {
    const subset = this.subsets.get(face);
    if (!subset) return false;
    const [expected, found] = [face, subset].map((each) => each.shape(text, 0, text.length, options));
    if (found.length !== expected.length) return false;
    return found.every((glyph, i) => {
      const other = expected[i];
      const isInPlace = (['advance', 'kerning', 'offsetX', 'offsetY'] as const).every(
        (length) => Math.abs(glyph[length] - other[length]) < TOLERANCE,
      );
      return isInPlace && subset.outline(glyph.id).verbs.length === face.outline(other.id).verbs.length;
    });
  }

  /** The class of text with these features. */
  classOf(features: RunText['features'] = {}): string | undefined {
    const settings = Object.entries(features).map(([tag, value]) => `"${tag}" ${value}`);
    if (settings.length === 0) return undefined;
    const css = settings.join();
    const name = this.classes.get(css) ?? `${this.prefix}c${this.classes.size.toString(36)}`;
    this.classes.set(css, name);
    return name;
  }

  /** Makes the font files. Faces that can't be embedded have no family from then on. */
  async prepare(): Promise<void> {
    if (this.fonts.size === 0) return;
    if (!(await hasWebAssembly())) {
      this.fonts.clear();
      this.problems.add('fonts can’t be embedded without WebAssembly');
      return;
    }
    const [subset, compress] = await Promise.all([loadSubsetter(), loadFontCompressor()]);
    for (const [face, { family, codePoints, features }] of this.fonts) {
      const named = face.name === undefined ? 'a font' : `the font ${face.name}`;
      const { fsType, forbidsEmbedding, forbidsSubsetting } = licenceOf(face);
      const isForbidden = forbidsEmbedding || forbidsSubsetting;
      const font = packTables(TEXT_TABLES, (tag) => face.table(tag));
      const isVariable = face.table('fvar') !== undefined;
      const file = isForbidden ? undefined : subset({ font, codePoints, features, axes: face.axes, isVariable });
      const packed = file && compress(file);
      if (file && packed) {
        this.subsets.set(face, openFace(file, { trusted: true }));
        this.rules += `@font-face{font-family:${family};src:url(data:font/woff2;base64,${encodeBase64(packed)})}`;
        continue;
      }
      this.fonts.delete(face);
      const kind = forbidsEmbedding ? 'to be embedded' : 'to be subset';
      this.problems.add(
        isForbidden ? `${named} forbids ${kind} (fsType ${fsType} in its OS/2 table)` : `${named} can’t be embedded`,
      );
    }
  }

  /** The style sheet. `root` is the class of the document, which inherits nothing from the page that changes its text. */
  styles(root: string): string {
    const classes = Array.from(this.classes, ([css, name]) => `.${name}{font-feature-settings:${css}}`);
    return `${this.rules}.${root}{${RESET}}${classes.join('')}`;
  }
}

/** The greatest difference of a length in the subset, in ems: those of variable fonts are rounded. */
const TOLERANCE = 0.002;

/** Brahmic scripts and those beside them, whose vowels shapers split; not Hangul. */
const SPLIT = /[\u0900-\u10ff\u1200-\u1cff]/g;
/** Vowels of Khmer of which the shaper makes two, though Unicode doesn't. */
const KHMER = /[\u17be-\u17c0\u17c4\u17c5]/;
const KHMER_E = '\u17c1';

/** The characters that shapers may make of those of a text. */
function shaperForms(text: string): string {
  const split = text.match(SPLIT)?.join('').normalize('NFKD') ?? '';
  return text.normalize('NFC') + split + (KHMER.test(text) ? KHMER_E : '');
}

const RESET =
  'font-style:normal;font-variant:normal;font-weight:400;font-stretch:normal;font-synthesis:none;font-feature-settings:normal;' +
  'letter-spacing:normal;word-spacing:normal;text-transform:none;text-anchor:start;text-rendering:geometricPrecision;direction:ltr';
