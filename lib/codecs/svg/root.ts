// Reads an SVG's root element: its CSS size, and the same document resized to given pixels. Source of the sizing rules:
// CSS Images 3 section 5.3 (default sizing), SVG 2 sections 7.8 and 8.2.
import type { Rect } from '../../geometry/rect.js';
import { asciiLowercase } from '../../unicode/ascii.js';
import { malformed } from '../errors.js';
import { entityExpander, readProlog, xmlText } from './prolog.js';

export interface SvgRoot {
  /** CSS pixels, may be fractional. */
  readonly width: number;
  readonly height: number;
  /** False if neither lengths nor viewBox define an aspect ratio: the image is then stretched to any box. */
  readonly hasRatio: boolean;
  /**
   * The document without its DOCTYPE and with plain-text entities expanded, its root resized to `width` × `height`
   * pixels. It is laid out in `viewport` (CSS pixels) if given, else at its own size; the result, or only `part` of it (CSS
   * pixels), is stretched to those pixels.
   */
  sized(width: number, height: number, viewport?: Size, part?: Rect): string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

type ViewBox = readonly [x: number, y: number, width: number, height: number];

/** CSS pixels per unit; font-relative units at the initial 16 px. */
const UNITS = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['q', 96 / 101.6],
  ['em', 16],
  ['rem', 16],
  ['ex', 8],
  ['ch', 8],
]);

/** CSS's default size of a replaced element without intrinsic size. */
const DEFAULT_SIZE = { width: 300, height: 150 };

/** Reads the root's size. Throws RenderError if the root can't be read or has zero size. */
export function readSvgRoot(bytes: Uint8Array): SvgRoot {
  const text = xmlText(bytes);
  if (text === undefined) throw malformed('svg', 'its encoding is unknown');
  const prolog = readProlog(text);
  const tag = prolog && readTag(text, prolog.root);
  if (!prolog || !tag) throw malformed('svg', 'its root element is truncated or malformed');
  const doctype = prolog.doctype && text.slice(prolog.doctype.start, prolog.doctype.end);
  const expand = entityExpander(doctype ?? '');
  const attributes = new Map([...tag.attributes].map(([name, value]) => [name, expand(value)] as const));
  const style = readStyle(attributes.get('style') ?? '');
  const viewBox = readViewBox(attributes.get('viewBox'));
  const aspect = attributes.get('preserveAspectRatio');
  const own = {
    width: readLength(style.get('width') ?? attributes.get('width')),
    height: readLength(style.get('height') ?? attributes.get('height')),
  };
  const size = naturalSize(own.width, own.height, viewBox);
  if (size.width === 0 || size.height === 0) throw malformed('svg', `its size is ${size.width} × ${size.height}`);
  const before = prolog.doctype ? text.slice(prolog.doctype.end, prolog.root) : text.slice(0, prolog.root);
  return {
    ...size,
    hasRatio:
      (own.width !== undefined && own.height !== undefined) ||
      (viewBox !== undefined && !/^\s*none\b/.test(aspect ?? '')),
    sized(width, height, viewport = size, part = undefined) {
      // Browsers that find no viewBox use the given lengths, or the viewport's if they are missing.
      const effectiveViewBox: ViewBox = viewBox ?? [0, 0, own.width ?? viewport.width, own.height ?? viewport.height];
      const isStretched =
        !viewBox ||
        Math.abs((viewport.width / viewport.height) * (effectiveViewBox[3] / effectiveViewBox[2]) - 1) < 1e-3;
      const view = part
        ? partOfView(effectiveViewBox, part, viewport, isStretched ? 'none' : aspect)
        : effectiveViewBox;
      const keptAttributes = [...attributes].filter(([name]) => !REPLACED.has(name));
      const resized = [
        ...keptAttributes,
        ['width', width],
        ['height', height],
        ['viewBox', view.join(' ')],
        ['style', styleWithoutSize(style)],
      ];
      // Rounding to pixels may change the aspect ratio slightly: stretch the content rather than leave a seam.
      const ratio = isStretched || part ? 'none' : aspect;
      if (ratio !== undefined) resized.push(['preserveAspectRatio', ratio]);
      const list = resized.map(([name, value]) => ` ${name}="${String(value).replaceAll('"', '&quot;')}"`).join('');
      return `${before}<${tag.name}${list}${entityExpander(doctype ?? '')(text.slice(tag.end))}`;
    },
  };
}

/** Converts a part of the viewport to the coordinates of the viewBox, as `preserveAspectRatio` fits it. */
function partOfView([x, y, width, height]: ViewBox, part: Rect, viewport: Size, aspect = ''): ViewBox {
  let scaleX = viewport.width / width;
  let scaleY = viewport.height / height;
  if (!/^\s*none\b/.test(aspect)) {
    scaleX = scaleY = /\bslice\b/.test(aspect) ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
  }
  const [, alignX, alignY] = /\bx(Min|Mid|Max)Y(Min|Mid|Max)\b/.exec(aspect) ?? ['', 'Mid', 'Mid'];
  const left = part.left - (viewport.width - width * scaleX) * ALIGNMENT[alignX];
  const top = part.top - (viewport.height - height * scaleY) * ALIGNMENT[alignY];
  return [x + left / scaleX, y + top / scaleY, (part.right - part.left) / scaleX, (part.bottom - part.top) / scaleY];
}

const ALIGNMENT: Readonly<Record<string, number>> = { Min: 0, Mid: 0.5, Max: 1 };

const REPLACED = new Set(['width', 'height', 'viewBox', 'preserveAspectRatio', 'style']);

/** The start tag at `at`: its name, its attributes as written, and the offset of its `>` or `/>`. */
function readTag(text: string, at: number) {
  const head = /<([\w:.-]+)/y;
  head.lastIndex = at;
  const name = head.exec(text)?.[1];
  if (!name) return undefined;
  const attributes = new Map<string, string>();
  const pair = /\s+([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
  let end = head.lastIndex;
  for (pair.lastIndex = end; ; ) {
    const match = pair.exec(text);
    if (!match) break;
    attributes.set(match[1], match[2] ?? match[3]);
    end = pair.lastIndex;
  }
  const close = /\s*\/?>/y;
  close.lastIndex = end;
  return close.test(text) ? { name, attributes, end } : undefined;
}

/** Parses declarations as written: a `;` may end a character reference (`&quot;`), and a value may contain `:`. */
function readStyle(style: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const declaration of style.split(/(?<!&#?\w{1,8});/)) {
    const colon = declaration.indexOf(':');
    if (colon >= 0) found.set(asciiLowercase(declaration.slice(0, colon).trim()), declaration.slice(colon + 1).trim());
  }
  return found;
}

/** The style without width and height, which are replaced. */
function styleWithoutSize(style: Map<string, string>): string {
  return [...style]
    .flatMap(([name, value]) => (name === 'width' || name === 'height' ? [] : `${name}:${value}`))
    .join(';');
}

/** Parses a length; undefined for `auto`, percentages and invalid values: the image then has no intrinsic length. */
function readLength(value: string | undefined): number | undefined {
  const match = /^\s*\+?((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*(?:!important)?\s*$/i.exec(value ?? '');
  const unit = match && UNITS.get(asciiLowercase(match[2]));
  const length = match && unit ? Number(match[1]) * unit : Number.NaN;
  return Number.isFinite(length) ? length : undefined;
}

function readViewBox(value: string | undefined): ViewBox | undefined {
  const numbers = (value ?? '')
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(Number);
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || numbers[2] <= 0 || numbers[3] <= 0) return undefined;
  return [numbers[0], numbers[1], numbers[2], numbers[3]];
}

function naturalSize(width: number | undefined, height: number | undefined, viewBox: ViewBox | undefined) {
  const ratio = viewBox && viewBox[2] / viewBox[3];
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: ratio ? width / ratio : DEFAULT_SIZE.height };
  if (height !== undefined) return { width: ratio ? height * ratio : DEFAULT_SIZE.width, height };
  if (!ratio) return DEFAULT_SIZE;
  const contained = Math.min(DEFAULT_SIZE.width, DEFAULT_SIZE.height * ratio);
  return { width: contained, height: contained / ratio };
}
