// Checks the images embedded in an SVG as data: URLs, which resvg decodes itself: limits rasters by their headers, and
// counts embedded SVGs like the outer one. Rejects gzip-compressed ones: resvg inflates without a limit.
import { decodeBase64Loosely } from '../../bytes/base64.js';
import { latin1Bytes, latin1Text } from '../../bytes/bytes.js';
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import { readHeader } from '../header.js';
import { countSvg, type EmbeddedCounts, type SvgCounts } from './counts.js';
import { readProlog, xmlText } from './prolog.js';
import { type SvgElement, type SvgTree, scanSvg } from './scan.js';

/**
 * The counts of each embedded SVG per drawing. Throws RenderError if the rasters hold more than `maxPixels` in total, or
 * if an embedded SVG exceeds a limit on its own.
 */
export function embeddedCounts({ elements }: SvgTree, maxPixels: number, check: CheckTime): EmbeddedCounts {
  const counts = new Map<SvgElement, SvgCounts>();
  let pixels = 0;
  for (const element of elements) {
    if (element.name !== 'image' && element.name !== 'feImage') continue;
    const embedded = readEmbedded(element);
    // resvg draws no images inside an embedded SVG
    if (typeof embedded === 'string') counts.set(element, countSvg(scanSvg(embedded, check), new Map(), check));
    else pixels += embedded ?? 0;
    if (!(pixels <= maxPixels)) {
      throw unsupported('svg', `its embedded images are larger than the ${maxPixels} pixels allowed`);
    }
  }
  return counts;
}

/**
 * The text of an embedded SVG, or the pixels of a raster: 0 if its header can't be read, as resvg then draws nothing.
 * Undefined for a link.
 */
export function readEmbedded({ attributes }: SvgElement): string | number | undefined {
  const bytes = readData(attributes.get('href') ?? '');
  if (!bytes) return undefined;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw unsupported('svg', 'an embedded image is gzip-compressed');
  return innerSvg(bytes) ?? rasterPixels(bytes);
}

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

/** The embedded SVG from its root; undefined if the bytes are not an SVG. */
function innerSvg(bytes: Uint8Array): string | undefined {
  const text = /^[\s\0\ufeff\xfe\xff\xef\xbb\xbf]*</.test(latin1Text(bytes.subarray(0, 64)))
    ? xmlText(bytes)
    : undefined;
  const prolog = text === undefined ? undefined : readProlog(text);
  if (text === undefined || prolog === undefined) return undefined;
  // a DOCTYPE without an internal subset changes nothing
  if (prolog.doctype && text.slice(prolog.doctype.start, prolog.doctype.end).includes('[')) {
    throw unsupported('svg', 'an embedded SVG has a DOCTYPE with declarations');
  }
  return text.slice(prolog.root);
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
