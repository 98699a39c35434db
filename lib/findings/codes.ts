// Codes that can't be read back from what is painted around them.
import type { QrcodeLayer } from '../contract/layers/index.js';
import { compose, translation } from '../geometry/affine.js';
import { areaOf, expand, intersect, isEmpty, mapRect, roundOut } from '../geometry/rect.js';
import { canCover } from './covers.js';
import { type Change, removing, setting, unsetting } from './fixes/changes.js';
import { type Item, type Items, isShown } from './items.js';
import { paintWindow } from './paint.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

/** Pixels around a code that are painted at most; larger codes are not checked. */
const MAX_PIXELS = 2 ** 22;
/** The modules around a code that are painted: its quiet zone, and what may disturb it. */
const REACH = 12;

export async function findCodes({ items, signal }: RuleContext): Promise<MeasuredFinding[]> {
  const codes = items.all.filter((item) => item.measured.code !== undefined && isShown(item));
  if (codes.length === 0) return [];
  const { verifyCodes } = await import('../scanner/verify.js');
  const found: MeasuredFinding[] = [];
  for (const item of codes) {
    signal?.throwIfAborted();
    const code = item.measured.code!;
    const reach = (REACH * (code.symbol.right - code.symbol.left)) / code.columns;
    const window = intersect(roundOut(mapRect(expand(code.symbol, reach), code.toCanvas)), items.canvas);
    if (isEmpty(window) || areaOf(window) > MAX_PIXELS) continue;
    const { pixmap } = paintWindow(window, items);
    const toCanvas = compose(code.toCanvas, translation(-window.left, -window.top));
    const [problem] = await verifyCodes(pixmap, [{ ...code, toCanvas }], { signal });
    if (!problem || problem.cause === 'unknown') continue;
    found.push({
      code: 'code_unreadable',
      severity: 'error',
      path: item.path,
      message: `the painted code can't be read: ${problem.message}`,
      changes: readable(item, items),
    });
  }
  return found;
}

function readable(item: Item, { all }: Items): Change[] {
  const { layer } = item;
  const dark =
    layer.type === 'qrcode' || layer.type === 'barcode' ? { colorDark: '#000000', colorLight: '#ffffff' } : {};
  const above = all.filter(
    (other) => other.order > item.order && other.layer.type === 'shape' && !isEmpty(intersect(other.ink, item.ink)),
  );
  return [
    ...(layer.flip === undefined ? [] : unsetting(item, 'flip')),
    ...(above.length === 1 && canCover(above[0]) ? removing(above[0]) : []),
    ...setting(item, dark),
    ...(layer.type === 'qrcode' ? squared(item, layer, dark) : []),
  ];
}

function squared(item: Item, { errorCorrectionLevel }: QrcodeLayer, dark: Readonly<Record<string, string>>): Change[] {
  return setting(item, {
    ...dark,
    ...(errorCorrectionLevel !== 'H' && { errorCorrectionLevel: 'H' }),
    moduleShape: 'square',
  });
}
