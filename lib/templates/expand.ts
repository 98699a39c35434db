// A payload with everything that lib/data has done in it: layers as they would be written by hand.
import { parseRequest } from '../contract/api/request.js';
import { parseLayers } from '../contract/layers/parse.js';
import { isObject } from '../contract/schema/fields.js';
import { isTemplate } from '../contract/template/record-layers.js';
import type { Warning } from '../errors.js';
import { drawIcons, hasIcon, type IconOptions } from './icons/icon-room.js';
import { prepareTemplate, type ResolveOptions, rawCanvas, savedTemplateError } from './resolve.js';
import type { RawScene } from './scene.js';

export interface Expanded {
  /** A canvas with layers. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Warning[];
}

type Json = Readonly<Record<string, unknown>>;

/** Fields of a payload that lib/data has used up. */
const USED = ['data', 'components', 'tokens', 'themes', 'theme'];
/** Fields of a template that its canvas has. */
const CANVAS_FIELDS = ['width', 'height', 'scale', 'autoWidth', 'autoHeight', 'padding'];

/** The plain payload of one with data, or of a template that `variables` fill. Throws RenderError as `resolve` does. */
export function expand(payload: unknown, options: Omit<ResolveOptions, 'checkUrl'>): Expanded {
  if (isTemplate(payload)) return expandTemplate(payload as Json, options);
  const request = parseRequest(payload, { maxLayers: options.maxLayers });
  if (request.kind === 'template') throw savedTemplateError();
  const { scene, color } = rawCanvas(request, options);
  const { canvas, layers: _, alt: __, ...rest } = payload as Json & { readonly canvas: Json };
  const others = Object.entries(rest).filter(([field]) => !USED.includes(field));
  const plain = color === undefined ? canvas : { ...canvas, backgroundColor: color };
  const { locale } = options;
  const { alt } = scene;
  const named = {
    ...Object.fromEntries(others),
    ...(locale !== undefined && { locale }),
    ...(alt !== undefined && { alt }),
  };
  return { payload: { canvas: plain, ...named, layers: withoutIcons(scene, options) }, warnings: scene.warnings };
}

function expandTemplate(record: Json, { variables = {}, ...options }: Omit<ResolveOptions, 'checkUrl'>): Expanded {
  const { template, apply } = prepareTemplate(record, options);
  const applied = apply(variables);
  const { color, warnings, alt } = applied;
  const layers = withoutIcons(applied, options);
  const { background } = isObject(template.data) ? template.data : record;
  const fill = color ?? (isObject(background) ? background.color : undefined);
  const known = template as unknown as Json;
  const canvas = Object.fromEntries([
    ...CANVAS_FIELDS.filter((field) => known[field] !== undefined && (field !== 'scale' || known[field] !== 1)).map(
      (field) => [field, known[field]],
    ),
    ...(fill === undefined || fill === null ? [] : [['backgroundColor', fill]]),
  ]);
  const { document } = template;
  const locale = options.locale ?? template.locale;
  const named = {
    ...(document && { document }),
    ...(locale !== undefined && { locale }),
    ...(alt !== undefined && { alt }),
  };
  return { payload: { canvas, ...named, layers }, warnings };
}

/** The raw layers with shapes in place of icons. Throws RenderError `render_failed` for an icon that can't be drawn. */
function withoutIcons({ layers, origins }: Pick<RawScene, 'layers' | 'origins'>, options: IconOptions) {
  const drawn = drawIcons(layers, options);
  const inspect = drawn.issueOf;
  if (hasIcon(drawn.layers)) {
    parseLayers(drawn.layers, { origins, inspect: (layer) => (layer.type === 'icon' ? [inspect(layer)] : []) });
  }
  return drawn.layers;
}
