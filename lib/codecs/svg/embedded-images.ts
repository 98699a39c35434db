// Checks the images embedded in an SVG as data: URLs, which resvg decodes itself: limits rasters by their headers, and
// estimates embedded SVGs like the outer one. Rejects gzip-compressed ones: resvg inflates without a limit.
import { decodeBase64Loosely } from '../../bytes/base64.js';
import { latin1Bytes, latin1Text } from '../../bytes/bytes.js';
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import { readHeader } from '../header.js';
import { checkCost, type EmbeddedCosts, measureSvg, type SvgCost, ZERO_COST } from './cost.js';
import { readProlog, xmlText } from './prolog.js';
import { type SvgElement, type SvgTree, scanSvg } from './scan.js';

/**
 * The cost of each embedded image per drawing. Throws RenderError if the rasters hold more than `maxPixels` in total,
 * or if an embedded SVG exceeds a limit on its own.
 */
export function embeddedCosts(
  tree: SvgTree,
  width: number,
  height: number,
  maxPixels: number,
  check: CheckTime,
): EmbeddedCosts {
  const costs = new Map<SvgElement, SvgCost>();
  let pixels = 0;
  for (const element of tree.elements) {
    if (element.name !== 'image' && element.name !== 'feImage') continue;
    const bytes = readData(element.attributes.get('href') ?? '');
    if (!bytes) continue;
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw unsupported('svg', 'an embedded image is gzip-compressed');
    const inner = innerSvg(bytes, check);
    if (inner) {
      // resvg draws no images inside an embedded SVG
      const cost = measureSvg(inner, width, height, undefined, check);
      checkCost(cost, width, height);
      costs.set(element, cost);
      continue;
    }
    const rasterSize = rasterPixels(bytes);
    pixels += rasterSize;
    if (!(pixels <= maxPixels)) {
      throw unsupported('svg', `its embedded images are larger than the ${maxPixels} pixels allowed`);
    }
    const filterUnits = DECODE_UNITS_PER_PIXEL * rasterSize;
    costs.set(element, { ...ZERO_COST, drawnElements: 1, depth: 1, heldLayers: 1, filterUnits });
  }
  return costs;
}

/** Filter units per pixel: a raster is decoded each time it is drawn. */
const DECODE_UNITS_PER_PIXEL = 2;

/** The bytes of a data: URL, undefined for any other URL. Tabs and line ends are ignored anywhere in it. */
function readData(href: string): Uint8Array | undefined {
  const url = href.replace(/[\t\n\r]/g, '');
  const match = /^\s*data:([^,]*),/i.exec(url);
  if (!match) return undefined;
  const body = url.slice(match[0].length);
  if (/;\s*base64\s*$/i.test(match[1])) return decodeBase64Loosely(percentDecode(body));
  return latin1Bytes(percentDecode(body));
}

function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The embedded SVG; undefined if the bytes are not an SVG. */
function innerSvg(bytes: Uint8Array, check: CheckTime): SvgTree | undefined {
  const text = /^[\s\0\ufeff\xfe\xff\xef\xbb\xbf]*</.test(latin1Text(bytes.subarray(0, 64)))
    ? xmlText(bytes)
    : undefined;
  const prolog = text === undefined ? undefined : readProlog(text);
  if (text === undefined || prolog === undefined) return undefined;
  // a DOCTYPE without an internal subset changes nothing
  if (prolog.doctype && text.slice(prolog.doctype.start, prolog.doctype.end).includes('[')) {
    throw unsupported('svg', 'an embedded SVG has a DOCTYPE with declarations');
  }
  return scanSvg(text.slice(prolog.root), check);
}

/** 0 if the header can't be read: resvg then draws nothing. */
function rasterPixels(bytes: Uint8Array): number {
  try {
    const { width, height } = readHeader(bytes);
    return width * height;
  } catch {
    return 0;
  }
}
