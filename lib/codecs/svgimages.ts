// Pictures embedded in an SVG as data: URLs are decoded by the SVG's own renderer: their headers are bounded here, before,
// and SVGs within it are measured as it is. What is compressed with gzip is refused: that renderer inflates without a bound.
import { unsupported } from './broken.js';
import { readHeader } from './header.js';
import { readProlog, xmlText } from './prolog.js';
import { checkCost, type EmbeddedCosts, measureSvg, NOTHING, type SvgCost } from './svgcost.js';
import { type SvgElement, type SvgTree, scanSvg } from './svgscan.js';

/**
 * What each picture costs whenever it is drawn. Throws RenderError when the rasters among them hold more than `maxPixels`
 * in all, or when an SVG among them passes a bound by itself.
 */
export function embeddedCosts(tree: SvgTree, width: number, height: number, maxPixels: number): EmbeddedCosts {
  const costs = new Map<SvgElement, SvgCost>();
  let pixels = 0;
  for (const element of tree.elements) {
    if (element.name !== 'image' && element.name !== 'feImage') continue;
    const bytes = readData(element.attributes.get('href') ?? '');
    if (!bytes) continue;
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw unsupported('svg', 'a picture embedded in it is compressed');
    const inner = innerSvg(bytes);
    if (inner) {
      // resvg draws no pictures within those
      const cost = measureSvg(inner, width, height);
      checkCost(cost, width, height);
      costs.set(element, cost);
      continue;
    }
    const own = rasterPixels(bytes);
    pixels += own;
    if (!(pixels <= maxPixels)) {
      throw unsupported('svg', `its embedded pictures are larger than the ${maxPixels} pixels allowed`);
    }
    const filtered = DECODING * own;
    costs.set(element, { ...NOTHING, drawn: 1, depth: 1, held: 1, filtered });
  }
  return costs;
}

/** Units of `filtered` for a pixel: it is decoded each time that it is drawn. */
const DECODING = 2;

/** The bytes of a data: URL, undefined for any other. Tabs and line ends in one mean nothing, wherever they stand. */
function readData(href: string): Uint8Array | undefined {
  const url = href.replace(/[\t\n\r]/g, '');
  const match = /^\s*data:([^,]*),/i.exec(url);
  if (!match) return undefined;
  const body = url.slice(match[0].length);
  if (/;\s*base64\s*$/i.test(match[1])) return Buffer.from(percentDecoded(body), 'base64');
  return Buffer.from(percentDecoded(body), 'latin1');
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The SVG that the bytes are; undefined where they are none. */
function innerSvg(bytes: Uint8Array): SvgTree | undefined {
  const text = /^[\s\0\ufeff\xfe\xff\xef\xbb\xbf]*</.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))
    ? xmlText(bytes)
    : undefined;
  const prolog = text === undefined ? undefined : readProlog(text);
  if (text === undefined || prolog === undefined) return undefined;
  // one that declares nothing changes nothing
  if (prolog.doctype && text.slice(prolog.doctype.start, prolog.doctype.end).includes('[')) {
    throw unsupported('svg', 'a picture embedded in it has a DOCTYPE that declares something');
  }
  return scanSvg(text.slice(prolog.root));
}

/** None where the header can't be read: the renderer then draws nothing. */
function rasterPixels(bytes: Uint8Array): number {
  try {
    const { width, height } = readHeader(bytes);
    return width * height;
  } catch {
    return 0;
  }
}
