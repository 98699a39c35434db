// Names that other tools have for the fields of payloads: CSS, SVG, the canvas of browsers, satori, Takumi, Konva, Fabric,
// Bannerbear and Figma. Messages suggest our names.
import { asciiLowercase } from '../../unicode/ascii.js';
import { isObject } from '../json/is-object.js';
import { lazily } from '../json/lazily.js';
import { closestMatch } from './closest-match.js';
import type { Hint } from './value-hints.js';

/** Fields with the words that others have for them. Where several fields fit, the first that the object may have is meant. */
const WORDS: readonly (readonly [field: string, words: string])[] = [
  ['offsetX', 'x dx left horizontal shadowOffsetX hOffset'],
  ['offsetY', 'y dy top vertical shadowOffsetY vOffset'],
  ['canvas.width', 'width w'],
  ['canvas.height', 'height h'],
  ['canvas.scale', 'scale dpr pixelRatio devicePixelRatio density'],
  ['canvas.backgroundColor', 'backgroundColor background bg backgroundFill fill color'],
  ['background.color', 'backgroundColor bg backgroundFill fill color'],
  ['background.url', 'backgroundImage backgroundUrl image imageUrl'],
  ['width and height', 'canvas'],
  ['x, y, width and height', 'x1 y1 x2 y2 from to box bounds rect frame absoluteBoundingBox'],
  ['x and y', 'cx cy center translate origin inset coordinates coords'],
  ['x', 'left posX positionX'],
  ['y', 'top posY positionY'],
  ['stroke.width', 'strokeWidth outlineWidth lineWidth'],
  ['stroke.color', 'strokeColor outlineColor strokeStyle'],
  ['border.width', 'borderWidth strokeWidth lineWidth outlineWidth thickness strokeWeight'],
  ['border.color', 'borderColor strokeColor outlineColor'],
  ['shadow', 'boxShadow textShadow dropShadow shadows shadowColor shadowBlur'],
  ['layout', 'direction flexDirection flexFlow flow layoutMode display orientation axis'],
  ['fontSize', 'size textSize'],
  ['width and height', 'size r diameter dimensions scale scaleX scaleY zoom'],
  ['width', 'w size thickness strokeWidth lineWidth borderWidth flexBasis'],
  ['height', 'h'],
  ['text', 'content contents value characters string caption copy html markdown innerText textContent data children'],
  ['data', 'text content contents value url href link code payload message'],
  ['url', 'src href source uri link path file image imageUrl img data content value'],
  ['d', 'path pathData data svg svgPath'],
  [
    'color',
    'fill fills fillColor fontColor textColor foreground foregroundColor fillStyle shadowColor strokeColor borderColor',
  ],
  ['fillColor', 'fill fills color background backgroundColor bg fillStyle'],
  ['colorDark', 'color dark fill foreground foregroundColor fg barColor lineColor moduleColor'],
  ['colorLight', 'light background backgroundColor bg'],
  ['backgroundColor', 'background bg backgroundFill textBackgroundColor fill fills color'],
  ['color', 'background backgroundColor bg'],
  ['stroke', 'outline textStroke webkitTextStroke strokes'],
  ['border', 'stroke strokes outline strokeStyle'],
  ['border.dash', 'dash dashes strokeDasharray strokeDashArray lineDash'],
  ['border.style', 'borderStyle lineStyle'],
  ['border.cap', 'strokeLinecap lineCap'],
  ['border.join', 'strokeLinejoin lineJoin'],
  ['dash', 'style strokeDasharray dashArray lineDash'],
  ['blur', 'radius blurRadius shadowBlur size'],
  ['borderRadius', 'radius rx ry cornerRadius cornerRadii rounded roundness corners borderTopLeftRadius'],
  ['width and height', 'radius rx ry'],
  ['rotation', 'angle rotate rotationAngle deg degrees'],
  ['transform', 'matrix'],
  ['transformOrigin', 'origin pivot'],
  ['opacity', 'alpha transparency fillOpacity globalAlpha'],
  ['visible', 'hidden hide isVisible show visibility display'],
  ['filter', 'effects filters effect'],
  ['blendMode', 'mixBlendMode blend globalCompositeOperation compositeOperation'],
  ['clip', 'overflow clipsContent clipContent mask'],
  ['clipPath', 'clip clipping'],
  ['maskImage', 'mask'],
  ['flip', 'mirror flipX flipY flipped scaleX scaleY'],
  ['fontFamily', 'font family fontName typeface fontFace'],
  ['fontWeight', 'weight bold fontStyleName'],
  ['fontStyle', 'style italic slant'],
  ['customFontUrl', 'fontUrl fontFile fontSrc customFont'],
  ['fontFeatures', 'fontFeatureSettings'],
  ['fontVariations', 'fontVariationSettings'],
  ['textAlign', 'align alignment hAlign halign horizontalAlign textAlignHorizontal textAnchor justify justifyContent'],
  ['verticalAlign', 'vAlign valign alignVertical textAlignVertical baseline textBaseline alignItems'],
  ['lineHeight', 'leading lineSpacing'],
  ['letterSpacing', 'tracking kerning charSpacing spacing'],
  ['textDecoration', 'decoration underline linethrough strikethrough'],
  ['textTransform', 'case textCase uppercase transformText'],
  ['maxLines', 'lineClamp webkitLineClamp lines numberOfLines textOverflow overflow ellipsis'],
  ['wrap', 'whiteSpace nowrap wordWrap'],
  ['autoFit', 'fit fitText shrink autoSize autoShrink textFit'],
  ['minFontSize', 'minSize'],
  ['maxFontSize', 'maxSize'],
  ['direction', 'dir rtl'],
  ['language', 'lang locale'],
  ['hyphens', 'hyphenate hyphenation'],
  ['markup', 'rich richText parseMode'],
  ['textPath', 'path'],
  ['spans', 'runs segments children parts textRuns'],
  ['fit', 'objectFit resizeMode scaleMode backgroundSize imageFit sizing'],
  ['position', 'objectPosition backgroundPosition gravity'],
  ['mask', 'shape circle round'],
  ['crop', 'cropRect clipRect sourceRect viewport'],
  ['repeat', 'tile backgroundRepeat pattern'],
  ['fallbackColor', 'fallback placeholder placeholderColor'],
  ['shapeType', 'shape kind variant geometry form'],
  ['points', 'sides vertices numPoints pointCount spikes corners numSides'],
  ['innerRadius', 'innerRatio hole'],
  ['startAngle', 'start'],
  ['endAngle', 'end sweep sweepAngle'],
  ['startCap', 'startArrow arrowStart markerStart'],
  ['endCap', 'endArrow arrowEnd markerEnd arrow'],
  ['symbology', 'format barcodeType kind codeType encoding standard'],
  ['showText', 'displayValue humanReadable includeText withText'],
  ['errorCorrectionLevel', 'ecc ecl ecLevel level errorCorrection errorLevel correctLevel'],
  ['margin', 'quietZone padding'],
  ['moduleShape', 'dotStyle dots moduleStyle dotType'],
  ['eyeShape', 'eyes cornerStyle finderStyle'],
  ['logo', 'image icon picture'],
  ['gap', 'space spacing itemSpacing rowGap columnGap'],
  ['alignItems', 'align crossAxisAlignment counterAxisAlignItems itemsAlign'],
  ['justifyContent', 'justify mainAxisAlignment primaryAxisAlignItems distribution'],
  ['wrapItems', 'wrap flexWrap layoutWrap'],
  ['gridTemplateColumns', 'columns cols columnCount templateColumns gridColumns gridTemplate'],
  ['gridTemplateRows', 'rows rowCount templateRows gridRows'],
  ['gridAutoFlow', 'autoFlow'],
  ['gridColumn', 'column col colSpan columnSpan gridColumnStart gridArea area'],
  ['gridRow', 'row rowSpan gridRowStart'],
  ['justifySelf', 'justify'],
  ['grow', 'flex flexGrow layoutGrow'],
  ['shrink', 'flexShrink'],
  ['padding', 'paddingTop paddingRight paddingBottom paddingLeft paddingX paddingY insets'],
  ['margin', 'marginTop marginRight marginBottom marginLeft marginX marginY'],
  ['layers', 'elements objects children items nodes components content contents layer'],
  ['templateId', 'template templateUid templateName'],
  ['variables', 'data values vars fields modifications params parameters props inputs merge replacements'],
  ['hotspots', 'variables fields modifications inputs'],
  ['size', 'width height'],
  ['format', 'type output outputFormat fileType fileFormat mime mimeType extension'],
  ['quality', 'jpegQuality compression'],
  ['scale', 'dpr pixelRatio devicePixelRatio density retina'],
  ['type', 'kind component element tag elementType'],
  ['key', 'variable variableName field fieldName slot'],
  ['name', 'title'],
];

/** Letters and digits alone: `font-size`, `font_size` and `-webkit-font-size` are `fontSize`. */
function normalized(name: string): string {
  return asciiLowercase(name.replace(/[-_ :.]/g, ''));
}

const fieldsByWord = lazily((): ReadonlyMap<string, readonly string[]> => {
  const fields = new Map<string, string[]>();
  for (const [field, words] of WORDS) {
    for (const word of words.split(' ').map(normalized)) fields.set(word, [...(fields.get(word) ?? []), field]);
  }
  return fields;
});

/** Characters. Longer names are nobody's word for a field. */
const MAX_LENGTH = 40;

function fieldsFor(name: string): readonly string[] {
  if (name.length > MAX_LENGTH) return [];
  const word = normalized(name);
  return fieldsByWord().get(word) ?? fieldsByWord().get(word.replace(/^(?:webkit|moz)/, '')) ?? [];
}

interface FieldNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/**
 * Suggests the name for the unknown field `name` among the `known` ones: `fontSize`, or in words `canvas.width` or `x and y`;
 * undefined if nothing is similar.
 */
export function suggestField(name: string, known: FieldNames): string | undefined {
  return spelledAs(name, known) ?? synonymOf(name, known) ?? closestMatch(name, known.keys());
}

/** The known field that differs from `name` only in case and separators. */
function spelledAs(name: string, known: FieldNames): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const word = normalized(name);
  for (const each of known.keys()) if (normalized(each) === word) return each;
  return undefined;
}

/** Returns the field that other tools call `name`, if it is among the `known` fields. */
export function synonymOf(name: string, known: FieldNames): string | undefined {
  const isKnown = (fields: string) => fields.split(/, | and /).every((field) => known.has(field.split('.', 1)[0]));
  return fieldsFor(name).find(isKnown);
}

/** Fields of an object that are searched for a name that is meant. */
const MAX_SEARCHED_FIELDS = 100;

/**
 * Suggests how to supply the field `missing` of `object`, if another field is probably meant to be it: ` (rename src to url)`
 * or ` (move width and height into canvas)`.
 */
export function renameHint(object: unknown, missing: string): Hint | undefined {
  if (!isObject(object)) return undefined;
  const inside: string[] = [];
  for (const name of Object.keys(object).slice(0, MAX_SEARCHED_FIELDS)) {
    if (name === missing || name.length > MAX_LENGTH) continue;
    const fields = fieldsFor(name);
    const isTypo = fields.length === 0 && name.length > 2 && closestMatch(name, [missing]) !== undefined;
    if (isTypo || fields.includes(missing) || normalized(name) === normalized(missing)) {
      return { text: ` (rename ${name} to ${missing})` };
    }
    if (fields.some((field) => field.startsWith(`${missing}.`))) inside.push(name);
  }
  return inside.length === 0 ? undefined : { text: ` (move ${inside.join(' and ')} into ${missing})` };
}
