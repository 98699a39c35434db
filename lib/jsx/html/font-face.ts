// @font-face: families of a sheet become `customFontUrl` of the texts that ask for them.
import { parseFamilyList } from '../../contract/css/font-family.js';
import { splitTop } from '../css/tokens.js';
import { urlOf } from '../layers/decoration.js';
import type { LayerFields } from '../layers/fields.js';
import { familyField } from '../layers/text.js';
import type { MarkupReport, Place } from '../report.js';
import type { StyleDeclaration } from './style-sheet.js';

export interface SheetFont {
  /** In lower case. */
  readonly family: string;
  readonly url: string;
  /** The least and the greatest weight that it has. */
  readonly weights: readonly [number, number];
  readonly isItalic: boolean;
}

/** Reads a rule; undefined, with a warning, where it names no font that can be fetched. */
export function readFontFace(
  declarations: readonly StyleDeclaration[],
  place: Place,
  report: MarkupReport,
): SheetFont | undefined {
  const value = (property: string) => declarations.findLast((each) => each.property === property)?.value;
  const [family] = parseFamilyList(value('fontFamily') ?? '');
  const urls = splitTop(value('src') ?? '', ',').flatMap((source) => urlOf(splitTop(source, ' ')[0] ?? '') ?? []);
  const url = urls.find((each) => /^(?:https?:|data:)/i.test(each));
  if (!family || url === undefined) {
    report.warn(place, '@font-face without a family and an http(s) or data URL is not supported');
    return undefined;
  }
  // a file of other scripts than Latin's is for their characters alone
  if (!coversLatin(value('unicodeRange'))) return undefined;
  const weights = splitTop((value('fontWeight') ?? '400').toLowerCase(), ' ').map((word) =>
    word === 'bold' ? 700 : word === 'normal' ? 400 : Number(word),
  );
  const [least = 400, most = least] = weights.filter((weight) => weight >= 1 && weight <= 1000);
  const isItalic = /^(?:italic|oblique)/i.test(value('fontStyle') ?? '');
  return { family: family.name.toLowerCase(), url, weights: [least, most], isItalic };
}

const LETTER_A = 0x41;

function coversLatin(ranges: string | undefined): boolean {
  if (ranges === undefined) return true;
  return splitTop(ranges, ',').some((range) => {
    const match = /^u\+([0-9a-f?]+)(?:-([0-9a-f]+))?$/i.exec(range);
    if (!match) return true;
    const first = Number.parseInt(match[1].replaceAll('?', '0'), 16);
    const last = Number.parseInt(match[2] ?? match[1].replaceAll('?', 'f'), 16);
    return first <= LETTER_A && LETTER_A <= last;
  });
}

interface FontFields {
  readonly fontFamily: string;
  readonly fontWeight: number;
  readonly fontStyle: string;
  readonly url: string | undefined;
}

const INITIAL: FontFields = { fontFamily: 'Inter', fontWeight: 400, fontStyle: 'normal', url: undefined };

/** Gives texts the files of their families, in layers and the layers in them. */
export function withFontFaces(layers: readonly LayerFields[], faces: readonly SheetFont[]): LayerFields[] {
  if (faces.length === 0) return [...layers];
  return layers.map((layer) => {
    const inner = layer.layers === undefined ? {} : { layers: withFontFaces(layer.layers as LayerFields[], faces) };
    if (layer.type !== 'text') return { ...layer, ...inner };
    const { fields, font } = withFile(layer, INITIAL, faces);
    if (layer.spans === undefined) return fields;
    const spans = (layer.spans as LayerFields[]).map((span) => {
      const own = withFile(span, font, faces).fields;
      return span.layers === undefined ? own : { ...own, layers: withFontFaces(span.layers as LayerFields[], faces) };
    });
    return { ...fields, spans };
  });
}

/** The fields of a text or span with the file of its face, where that differs from that of the text around it. */
function withFile(
  fields: LayerFields,
  outer: FontFields,
  faces: readonly SheetFont[],
): { readonly fields: LayerFields; readonly font: FontFields } {
  const { fontFamily = outer.fontFamily, fontWeight = outer.fontWeight, fontStyle = outer.fontStyle } = fields;
  const asked = { fontFamily, fontWeight, fontStyle } as Omit<FontFields, 'url'>;
  const families = parseFamilyList(asked.fontFamily);
  const first = families[0]?.name.toLowerCase();
  const face = closestFace(
    faces.filter(({ family }) => family === first),
    asked,
  );
  const font: FontFields = { ...asked, url: face?.url };
  if (!face || (font.url === outer.url && fields.fontFamily === undefined)) return { fields, font };
  const rest = families.slice(1).map(({ name, isQuoted }) => (isQuoted ? `"${name}"` : name));
  const { fontFamily: _, ...others } = fields;
  const family =
    rest.length === 0 || fields.fontFamily === undefined ? {} : { fontFamily: familyField(rest.join(', ')) };
  return { fields: { ...others, ...family, customFontUrl: face.url }, font };
}

/** The face of the style, else any, whose weight is nearest (CSS Fonts 4 section 5.2, without its order of equals). */
function closestFace(
  faces: readonly SheetFont[],
  { fontWeight, fontStyle }: Omit<FontFields, 'url'>,
): SheetFont | undefined {
  const isItalic = fontStyle === 'italic';
  const ofStyle = faces.filter((face) => face.isItalic === isItalic);
  const candidates = ofStyle.length > 0 ? ofStyle : faces;
  const distance = ({ weights: [least, most] }: SheetFont) => {
    if (fontWeight >= least && fontWeight <= most) return 0;
    const isHeavy = fontWeight > 500;
    const gap = fontWeight < least ? least - fontWeight : fontWeight - most;
    // heavier faces are looked for first above 500, lighter ones below 400
    return gap + (fontWeight < least === isHeavy ? 0 : 1000);
  };
  return candidates.reduce<SheetFont | undefined>(
    (best, face) => (best === undefined || distance(face) < distance(best) ? face : best),
    undefined,
  );
}
