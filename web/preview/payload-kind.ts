// Tells the kinds of payload apart: a canvas with layers, a request for a saved template, or a template's record.

export type Body = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function kindOf(payload: unknown): 'canvas' | 'request' | 'record' | undefined {
  if (!isObject(payload)) return undefined;
  if ('hotspots' in payload) return 'record';
  if ('canvas' in payload) return 'canvas';
  if ('templateId' in payload) return 'request';
  return 'width' in payload && 'height' in payload ? 'record' : undefined;
}

/** Converts the payload to a body of `POST /v1/render`; undefined if it can't be one. */
export function requestBody(payload: unknown): Body | undefined {
  const kind = kindOf(payload);
  return kind === 'canvas' || kind === 'request' ? (payload as Body) : undefined;
}

/** Converts a canvas with layers to a template's record, whose layers can become hotspots. */
export function recordOf(payload: Body, name: string): Body {
  if (kindOf(payload) !== 'canvas') return { ...payload, name };
  const { canvas, layers } = payload;
  const { backgroundColor, ...size } = isObject(canvas) ? canvas : ({} as Body);
  const sizeFields = ['width', 'height', 'autoWidth', 'autoHeight', 'padding'];
  return {
    name,
    ...Object.fromEntries(sizeFields.flatMap((key) => (key in size ? [[key, size[key]]] : []))),
    ...(backgroundColor !== undefined && { background: { color: backgroundColor } }),
    layers,
  };
}
