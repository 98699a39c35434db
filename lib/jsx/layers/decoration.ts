// What a box paints beside its content: backgrounds, borders, rounded corners, shadows and effects.
import { isGradientText } from '../../contract/css/gradient.js';
import { parseColor } from '../../contract/css/parse-color.js';
import type { ElementBox } from '../boxes.js';
import { type CssLength, rounded } from '../css/length.js';
import type { Style } from '../css/style.js';
import { functionOf, splitTop } from '../css/tokens.js';
import type { MarkupReport } from '../report.js';
import { definedOnly, type LayerFields, shortestFour } from './fields.js';
import { borderWidths, SIDES } from './sizes.js';

/** Whether nothing of a colour shows. */
function isTransparent(color: string): boolean {
  return parseColor(color)?.a === 0;
}

interface Background {
  /** The fields of the box. */
  readonly fields: LayerFields;
  /** The fill of the text, with `background-clip: text`. */
  readonly text?: string;
  /** Pictures behind the content, from the bottom up. */
  readonly pictures: readonly LayerFields[];
}

/** The background of a box. */
export function backgroundOf(box: ElementBox, report: MarkupReport): Background {
  const { style, place } = box;
  const color = style.color('backgroundColor');
  const images = splitTop(style.inPixels('backgroundImage'), ',').filter((image) => image !== 'none');
  if (style.get('backgroundClip') === 'text') {
    const [fill = color] = images;
    const isPicture = images.length > 0 && !isGradientText(fill);
    if (images.length > 1 || isPicture) report.unsupported(place, 'backgroundImage', style.get('backgroundImage'));
    // text that a picture would fill can be read without it
    const plain = isTransparent(color) ? style.color('color') : color;
    return { fields: {}, text: !isPicture ? fill : isTransparent(plain) ? 'black' : plain, pictures: [] };
  }
  const fills: string[] = [];
  const places: FillPlace[] = [];
  const pictures: LayerFields[] = [];
  const last = Math.max(0, images.length - 1);
  images.forEach((image, index) => {
    if (isGradientText(image)) {
      fills.push(image);
      places.push(fillPlace(box, index, report));
      return;
    }
    const url = functionOf(image)?.name === 'url' ? urlOf(image) : undefined;
    if (url === undefined) report.unsupported(place, 'backgroundImage', image);
    else pictures.unshift(pictureLayer(box, url, index, report));
  });
  if (!isTransparent(color)) {
    fills.push(color);
    places.push({ ...WHOLE_BOX, backgroundClip: layerValue(style, 'backgroundClip', last) });
  }
  return {
    fields:
      fills.length === 0 ? {} : { backgroundColor: fills.length === 1 ? fills[0] : fills, ...placeFields(box, places) },
    pictures,
  };
}

type FillPlace = Readonly<Record<keyof typeof WHOLE_BOX, string>>;

/** The defaults of payloads. */
const WHOLE_BOX = {
  backgroundSize: 'auto',
  backgroundPosition: '0 0',
  backgroundRepeat: 'repeat',
  backgroundOrigin: 'border-box',
  backgroundClip: 'border-box',
};

function fillPlace({ style, place }: ElementBox, index: number, report: MarkupReport): FillPlace {
  const own = (property: string) => layerValue(style, property, index);
  const position = own('backgroundPosition').replace(
    /calc\(100% - ([\d.]+px)\)/g,
    (_, length: string, at: number) => `${at === 0 ? 'right' : 'bottom'} ${length}`,
  );
  const size = own('backgroundSize');
  for (const [property, value] of [
    ['backgroundPosition', position],
    ['backgroundSize', size],
  ]) {
    if (value.includes('(')) report.unsupported(place, property, value);
  }
  return {
    backgroundSize: size.includes('(') ? 'auto' : size,
    backgroundPosition: position.includes('(') ? '0 0' : position,
    backgroundRepeat: own('backgroundRepeat'),
    backgroundOrigin: own('backgroundOrigin'),
    backgroundClip: own('backgroundClip'),
  };
}

/** The fields in which a fill differs from one that fills the whole box. */
function placeFields({ style }: ElementBox, places: readonly FillPlace[]): LayerFields {
  const hasBorder = borderWidths(style).some((width) => width > 0);
  const wholes = /^(?:auto(?: auto)?|cover|contain|100%(?: (?:100%|auto))?)$/;
  // a tile as large as the box is the box, wherever it begins
  const isWhole = places.every(({ backgroundSize }) => wholes.test(backgroundSize)) && !hasBorder;
  return Object.fromEntries(
    (Object.keys(WHOLE_BOX) as (keyof FillPlace)[]).flatMap((name) => {
      const values = places.map((each) => (!hasBorder && each[name] === 'padding-box' ? 'border-box' : each[name]));
      const isTiling = name === 'backgroundSize' || name === 'backgroundPosition' || name === 'backgroundRepeat';
      if (isTiling && isWhole) return [];
      const [first] = values;
      if (values.every((value) => value === WHOLE_BOX[name] || (name === 'backgroundPosition' && value === '0% 0%'))) {
        return [];
      }
      return [[name, values.every((value) => value === first) ? first : values.join(', ')]];
    }),
  );
}

function layerValue(style: Style, property: string, index: number): string {
  const values = splitTop(style.inPixels(property), ',');
  return values[index % values.length] ?? values[0];
}

export function urlOf(value: string): string | undefined {
  const call = functionOf(value);
  return call?.name === 'url' ? call.args.trim().replace(/^(["'])(.*)\1$/s, '$2') : undefined;
}

/** A background picture as a layer of its own that fills the box. */
function pictureLayer({ style, place }: ElementBox, url: string, index: number, report: MarkupReport): LayerFields {
  const size = layerValue(style, 'backgroundSize', index);
  const position = layerValue(style, 'backgroundPosition', index);
  const repeat = layerValue(style, 'backgroundRepeat', index);
  const base: LayerFields = { type: 'image', url, width: '100%', height: '100%', position: 'absolute', inset: 0 };
  const isWhole = size === 'cover' || size === 'contain';
  if (isWhole && (size === 'cover' || repeat === 'no-repeat')) {
    if (position !== '0% 0%' && !/^(?:center|50%)(?: (?:center|50%))?$/.test(position)) {
      report.unsupported(place, 'backgroundPosition', position);
    }
    return { ...base, fit: size };
  }
  if (repeat === 'repeat' && !isWhole) {
    const [width, height = 'auto'] = splitTop(size, ' ');
    const pixels = (side: string) => (/px$/.test(side) ? { value: Number.parseFloat(side) } : undefined);
    if ([width, height].some((side) => side !== 'auto' && !pixels(side))) {
      if (/^100%(?: 100%)?$/.test(size)) return { ...base, fit: 'fill' };
      report.unsupported(place, 'backgroundSize', size);
    }
    return {
      ...base,
      repeat: 'tile',
      ...definedOnly({ tileWidth: pixels(width)?.value, tileHeight: pixels(height)?.value }),
    };
  }
  if (/^100% 100%$/.test(size)) return { ...base, fit: 'fill' };
  if (repeat === 'no-repeat' && size === 'auto') return { ...base, fit: 'none' };
  report.unsupported(place, 'backgroundSize', size);
  return { ...base, fit: 'cover' };
}

/** The border of a box, whose sides are alike. */
export function borderFields({ style }: ElementBox): LayerFields {
  const widths = borderWidths(style);
  const used = SIDES.filter((_, i) => widths[i] > 0);
  if (used.length === 0) return {};
  const lineOf = (side: string) => {
    const width = widths[SIDES.indexOf(side as (typeof SIDES)[number])];
    return lineFields(width, style.get(`border${side}Style`), style.color(`border${side}Color`));
  };
  const lines = used.map(lineOf);
  const isUniform = used.length === 4 && lines.every((line) => JSON.stringify(line) === JSON.stringify(lines[0]));
  if (isUniform) return { border: lines[0] };
  return Object.fromEntries(used.map((side, i) => [`border${side}`, lines[i]]));
}

function lineFields(width: number, style: string, color: string): LayerFields {
  return { width, color, ...(style !== 'solid' && { style }) };
}

export function outlineFields({ style }: ElementBox): LayerFields {
  const kind = style.get('outlineStyle');
  const width = style.get('outlineWidth') === 'medium' ? 3 : style.pixels('outlineWidth');
  if (kind === 'none' || width === 0) return {};
  const offset = style.pixels('outlineOffset');
  return { outline: { ...lineFields(width, kind, style.color('outlineColor')), ...(offset !== 0 && { offset }) } };
}

const CORNERS = ['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft'] as const;

/** Rounded corners. Percentages are of the border box, as those of layers. */
export function radiusFields({ style }: ElementBox): LayerFields {
  const corners = CORNERS.map((corner) => {
    const [x, y = x] = splitTop(style.get(`border${corner}Radius`), ' ');
    return { x: readRadius(x, style), y: readRadius(y, style) };
  });
  if (corners.every(({ x, y }) => isZero(x) || isZero(y))) return {};
  const isPlain = corners.every(({ x, y }) => x.percent === 0 && y.percent === 0 && x.px === y.px);
  if (isPlain) return { borderRadius: shortestFour(corners.map(({ x }) => rounded(x.px))) };
  const text = (axis: 'x' | 'y') => [shortestFour(corners.map((corner) => radiusText(corner[axis])))].flat().join(' ');
  const [across, down] = [text('x'), text('y')];
  return { borderRadius: across === down ? across : `${across} / ${down}` };
}

/** A radius as text; one in pixels and percent is about as large as its greater part. */
function radiusText({ px, percent }: CssLength): string {
  return percent === 0 ? `${rounded(px)}px` : `${rounded(percent)}%`;
}

function readRadius(part: string, style: Style): CssLength {
  return style.parse(part) ?? { px: 0, percent: 0 };
}

function isZero({ px, percent }: CssLength): boolean {
  return px === 0 && percent === 0;
}

/** A spread that nobody sees: it makes a shadow that of the box, as CSS has it. */
const NO_SPREAD = 0.001;

/** Box shadows; the first is on top. */
export function shadowFields({ style, place }: ElementBox, report: MarkupReport): LayerFields {
  const value = style.inPixels('boxShadow');
  if (value === 'none') return {};
  const shadows = splitTop(value, ',').flatMap((text) => {
    const shadow = readShadow(text, style.get('color'));
    if (!shadow) report.unsupported(place, 'boxShadow', text);
    return shadow ? [shadow] : [];
  });
  if (shadows.length === 0) return {};
  return { shadow: shadows.length === 1 ? shadows[0] : shadows };
}

function readShadow(text: string, currentColor: string): LayerFields | undefined {
  const lengths: number[] = [];
  let color = currentColor;
  let isInset = false;
  for (const word of splitTop(text, ' ')) {
    if (word.toLowerCase() === 'inset') isInset = true;
    else if (/^[+-]?[\d.]+(?:px)?$/i.test(word)) lengths.push(Number.parseFloat(word));
    else if (parseColor(word)) color = word;
    else if (word.toLowerCase() !== 'currentcolor') return undefined;
  }
  const [offsetX, offsetY, blur = 0, spread = 0] = lengths;
  if (lengths.length < 2 || lengths.length > 4) return undefined;
  return {
    ...(offsetX !== 0 && { offsetX }),
    ...(offsetY !== 0 && { offsetY }),
    ...(blur !== 0 && { blur }),
    ...(spread === 0 && isInset ? {} : { spread: spread === 0 ? NO_SPREAD : spread }),
    color,
    ...(isInset && { inset: true }),
  };
}

/** Opacity, filters, blending, masks and transforms. */
export function effectFields(box: ElementBox, report: MarkupReport): LayerFields {
  const { style } = box;
  const opacity = style.get('visibility') === 'hidden' ? 0 : opacityOf(style);
  const words = (property: string) => (style.get(property) === 'none' ? undefined : style.inPixels(property));
  return definedOnly({
    opacity: opacity === 1 ? undefined : opacity,
    blendMode: style.get('mixBlendMode') === 'normal' ? undefined : style.get('mixBlendMode'),
    filter: words('filter'),
    backdropFilter: words('backdropFilter'),
    clipPath: words('clipPath'),
    maskImage: maskField(box, report),
    ...transformFields(box),
  });
}

function opacityOf(style: Style): number {
  const text = style.get('opacity');
  const value = text.endsWith('%') ? Number.parseFloat(text) / 100 : (style.number('opacity') ?? 1);
  return Math.min(1, Math.max(0, value));
}

function maskField({ style, place }: ElementBox, report: MarkupReport): unknown {
  const value = style.inPixels('maskImage');
  if (value === 'none') return undefined;
  if (isGradientText(value)) return value;
  const url = urlOf(value);
  if (url !== undefined) {
    const size = style.get('maskSize');
    return { url, fit: size === 'cover' || size === 'contain' ? size : 'fill' };
  }
  report.unsupported(place, 'maskImage', value);
  return undefined;
}

/** Whether a box is painted as one, so that its `z-index` is its own. */
export function isStackingContext({ style }: ElementBox): boolean {
  return (
    opacityOf(style) < 1 ||
    style.get('mixBlendMode') !== 'normal' ||
    ['transform', 'filter', 'backdropFilter', 'clipPath', 'maskImage', 'rotate', 'scale', 'translate'].some(
      (property) => style.get(property) !== 'none',
    )
  );
}

function transformFields({ style }: ElementBox): LayerFields {
  const own = (property: string, write: (value: string) => string) => {
    const value = style.inPixels(property);
    return value === 'none' ? [] : [write(value)];
  };
  const list = [
    ...own('translate', (value) => `translate(${splitTop(value, ' ').join(', ')})`),
    ...own('rotate', (value) => `rotate(${value})`),
    ...own('scale', (value) => `scale(${splitTop(value, ' ').join(', ')})`),
    ...own('transform', (value) => value),
  ];
  if (list.length === 0) return {};
  const origin = style.inPixels('transformOrigin');
  return { transform: list.join(' '), ...(isCentre(origin) ? {} : { transformOrigin: origin }) };
}

/** Whether a position is the middle, which payloads start from, too. */
export const isCentre = (position: string): boolean => /^(?:50% 50%|center(?: center)?)$/.test(position);
