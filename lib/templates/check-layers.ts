// Parses the raw layers of a scene, and checks URLs, the data of codes and the memory of effects, which schemas can't. Reports
// the issues of all layers in one error. Fetches nothing, and loads neither fonts nor codecs.
import { barcodeIssue } from '../barcodes/check.js';
import { type AssetKind, assetReferences } from '../contract/layers/asset-references.js';
import type { Layer, WrittenLayer } from '../contract/layers/index.js';
import { hasLayout } from '../contract/layers/nested-layers.js';
import { malformedLayers, parseLayers } from '../contract/layers/parse.js';
import { type FieldIssue, mismatchOf } from '../contract/messages/issues.js';
import { locateIssue } from '../contract/messages/origins.js';
import { linkIssues } from '../contract/template/links.js';
import { CodedError, type Detail } from '../errors.js';
import { qrcodeIssue } from '../layers/codes/qrcode.js';
import { effectBytes } from '../layers/effects/memory.js';
import { type DrawnIcons, drawIcons, type IconOptions } from './icons/icon-room.js';
import type { RawScene } from './scene.js';

/** Throws RenderError `render_failed` when `url` can't be that of an asset of this kind. */
export type CheckUrl = (url: string, kind: AssetKind) => void;

/** The layers with every default applied. Throws RenderError `render_failed` with every issue of every layer. */
export function checkLayers(
  raw: Pick<RawScene, 'canvas' | 'layers' | 'origins'>,
  { checkUrl, ...icons }: IconOptions & { readonly checkUrl: CheckUrl },
): Layer[] {
  const { canvas, origins } = raw;
  const { layers: rawLayers, issueOf } = drawIcons(raw.layers, icons);
  const layers = parseLayers(rawLayers, { origins, inspect: (layer) => layerIssues(layer, checkUrl, issueOf) });
  const details = layers.flatMap((layer, index) => {
    const bytes = effectBytes(layer, canvas);
    return bytes > MAX_EFFECT_BYTES ? [locateIssue(origins[index], tooManyEffects(bytes))] : [];
  });
  details.push(...pageIssues(layers, origins));
  if (details.length > 0) throw malformedLayers(details, details.length);
  return layers;
}

/** The issues of groups with `paginate`: at most one of a page, in no other layout. */
function pageIssues(layers: readonly Layer[], origins: RawScene['origins']): Detail[] {
  const details: Detail[] = [];
  let count = 0;
  const visit = (layer: Layer, index: number, place: string, isInLayout: boolean): void => {
    if (layer.type !== 'group') return;
    if (layer.paginate && layer.visible) {
      count++;
      const expected = isInLayout ? 'false in a group with a layout' : count > 1 ? 'one such group' : undefined;
      const message = `received true, expected ${expected}`;
      const field = `${place}paginate`;
      if (expected !== undefined) {
        details.push(locateIssue(origins[index], { code: 'conflicting_values', field, message, expected }));
      }
    }
    const isLaidOut = isInLayout || hasLayout(layer);
    for (const [i, each] of layer.layers.entries()) visit(each, index, `${place}layers[${i}].`, isLaidOut);
  };
  for (const [i, layer] of layers.entries()) visit(layer, i, '', false);
  return details;
}

/**
 * Memory for the effects of one layer and the layers in it. Without groups inside it, no layer of the largest canvas needs as
 * much, whatever its effects.
 */
const MAX_EFFECT_BYTES = 4 * 2 ** 30;

function tooManyEffects(bytes: number): FieldIssue {
  const gibibytes = (size: number) => `${Math.ceil((10 * size) / 2 ** 30) / 10} GiB`;
  const expected = `at most ${gibibytes(MAX_EFFECT_BYTES)}: fewer levels with effects or a smaller canvas`;
  const message = `received groups whose effects may need ${gibibytes(bytes)} at once, expected ${expected}`;
  return { code: 'limit_exceeded', field: '', message, expected };
}

/** Issues of a layer beyond the types and bounds of its fields. */
function layerIssues(layer: WrittenLayer, checkUrl: CheckUrl, issueOf: DrawnIcons['issueOf']): FieldIssue[] {
  if (layer.type === 'icon') return [issueOf(layer)];
  const issues = [...urlIssues(layer, checkUrl), ...linkIssues(layer)];
  const issue = codeIssue(layer);
  return issue === undefined ? issues : [...issues, issue];
}

/** The issue of the data of a QR code or barcode, or of its logo. */
export function codeIssue(layer: Layer): FieldIssue | undefined {
  if (layer.type === 'qrcode') return qrcodeIssue(layer);
  const message = layer.type === 'barcode' ? barcodeIssue(layer) : undefined;
  return message === undefined
    ? undefined
    : { code: 'invalid_value', field: 'data', message, ...mismatchOf(layer.type === 'barcode' && layer.data) };
}

/** Issues of the URLs of a layer, which may be raw. */
export function urlIssues(layer: Readonly<Record<string, unknown>>, checkUrl: CheckUrl): FieldIssue[] {
  return assetReferences(layer).flatMap(({ field, url, kind }) => {
    const message = urlIssue(() => checkUrl(url, kind));
    return message === undefined ? [] : [{ code: 'invalid_url', field, message, ...mismatchOf(url) }];
  });
}

/** Returns the reason for which `check` rejects the URL; undefined if it doesn't. */
export function urlIssue(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof CodedError) return error.message;
    throw error;
  }
}
