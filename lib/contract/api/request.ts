// Parses a request's body to a RenderRequest with every default applied. The body's keys choose the shape. Layers stay
// unparsed: their issues are errors of the render (layers/parse.ts), not of the request.
import * as z from 'zod';
import type { FileFormat, OutputFormat } from '../../codecs/codec.js';
import type { Detail } from '../../errors.js';
import { lazily } from '../json/lazily.js';
import { deeperThan } from '../json/limits.js';
import { canvas, scale } from '../layers/canvas.js';
import { countLayers } from '../layers/nested-layers.js';
import { MAX_DPI, MAX_PAGES, MIN_DPI } from '../layers/output-size.js';
import { invalidRequest, issue } from '../messages/issues.js';
import { renameHint } from '../messages/synonyms.js';
import { choice, filledText, flag, freeObject, isObject, number, record } from '../schema/fields.js';
import { normalizeBody, parseWith, withoutNulls } from '../schema/normalize.js';
import { canvasUsesData } from '../template/data-fields.js';
import { components, locale, pictureAlt, theme, themes, tokens } from '../template/data-schemas.js';
import { documentFields } from '../template/document.js';
import { isDynamic } from '../template/expression-end.js';

/** Maximum depth of metadata, the object itself included. */
const MAX_METADATA_LEVELS = 8;
/** Maximum size of metadata as JSON, in bytes of UTF-8. */
const MAX_METADATA_BYTES = 16 * 1024;

const metadata = freeObject()
  .refine((value) => !deeperThan(value, MAX_METADATA_LEVELS), {
    error: `an object of at most ${MAX_METADATA_LEVELS} levels`,
    abort: true,
  })
  .refine((value) => jsonBytes(value) <= MAX_METADATA_BYTES, {
    error: `an object of at most ${MAX_METADATA_BYTES} bytes as JSON`,
  });

/** `jpg` means `jpeg`, the name in answers. */
const format = choice(['png', 'jpeg', 'jpg', 'webp', 'avif']).transform(
  (name): OutputFormat => (name === 'jpg' ? 'jpeg' : name),
);

const documentFormat = choice(['svg', 'pdf']);

const responseType = choice(['json', 'binary', 'base64']);
const RESPONSE_TYPE = 'binary answers the bytes of the picture; json and base64 answer JSON that contains it';

const output = lazily(() => ({
  format: format.prefault('png'),
  quality: number({ min: 1, max: 100 }).default(90).describe('PNG ignores it'),
  dpi: number({ min: MIN_DPI, max: MAX_DPI }).optional().describe('pixels per inch, noted in the file for printing'),
  lossless: flag().default(false).describe('WebP and AVIF without loss, whatever quality says; PNG always is'),
  document: documentFields.optional().describe('for SVG and PDF; other formats ignore it'),
  metadata: metadata
    .optional()
    .describe('your own data: echoed in the answer and kept in the render log; 16 KiB and 8 levels at most'),
}));

const layer = freeObject();

export const canvasRequest = record(() => ({
  canvas,
  layers: z.array(layer, { error: 'an array of layers' }),
  data: freeObject()
    .optional()
    .describe('values by name: with it, {{= … }} is an expression and {{name}} a placeholder'),
  components: components.optional(),
  tokens: tokens.optional(),
  themes: themes.optional(),
  theme: theme.optional(),
  locale: locale.optional(),
  alt: pictureAlt.optional(),
  ...output(),
  responseType: responseType.default('binary').describe(RESPONSE_TYPE),
}));

export const templateRequest = record(() => ({
  templateId: filledText().describe('of a template of the workspace that owns the key'),
  templateVersion: number({ min: 1, whole: true })
    .optional()
    .describe('this version of the template, instead of the published one'),
  variables: freeObject()
    .default({})
    .describe(
      'values by hotspot key or label: text, numbers, truth values, objects of layer fields, or null to hide one',
    ),
  tokens: tokens.optional(),
  theme: theme.optional(),
  locale: locale.optional(),
  alt: pictureAlt.optional().describe('in place of the template’s alt'),
  size: filledText()
    .optional()
    .describe('the name of one of the template’s sizes, instead of its own width and height'),
  scale: scale
    .optional()
    .describe('pixels of the image per pixel of the template, instead of the template’s own scale'),
  ...output(),
  responseType: responseType.default('json').describe(RESPONSE_TYPE),
}));

/** The fields of a request for a document that differ from a picture's. */
const documentOutput = lazily(() => ({
  format: documentFormat.prefault('pdf'),
  responseType: responseType
    .default('binary')
    .describe('binary answers the bytes of the document; json and base64 answer JSON that contains it'),
}));

export const documentCanvasRequest = record(() => ({ ...canvasRequest.shape, ...documentOutput() }));
export const documentTemplateRequest = record(() => ({ ...templateRequest.shape, ...documentOutput() }));

/** A document of several pages. A page is checked as a request; what the document has once is no field of a page. */
export const documentPagesRequest = record(() => {
  const { quality, lossless, document, metadata } = output();
  return {
    pages: z
      .array(freeObject(), { error: EXPECTED_PAGES })
      .min(1, { error: EXPECTED_PAGES })
      .max(MAX_PAGES, { error: EXPECTED_PAGES })
      .describe(
        'each has the fields of a document of one page, but for `format`, `document`, `metadata`, `responseType`',
      ),
    format: choice(['pdf']).prefault('pdf'),
    quality,
    lossless,
    document,
    metadata,
    responseType: documentOutput().responseType,
  };
});

const EXPECTED_PAGES = `an array of 1 to ${MAX_PAGES} pages`;

type Parsed<Schema extends z.ZodType> = Omit<z.output<Schema>, 'format'> & { readonly format: FileFormat };
export type CanvasRequest = {
  readonly kind: 'canvas';
  /** The canvas's background colour, if an expression or a token is in it. */
  readonly background?: string;
} & Parsed<typeof canvasRequest>;
export type TemplateRequest = { readonly kind: 'template' } & Parsed<typeof templateRequest>;
export type RenderRequest = CanvasRequest | TemplateRequest;
/** A document whose pages are checked one by one. */
export type PagesRequest = { readonly kind: 'pages' } & z.output<typeof documentPagesRequest>;

/** What a request asks for: one of the formats of pictures, or a document. */
export type RequestOutput = 'picture' | 'document';

interface RequestSchemas {
  readonly canvas: z.ZodType<Parsed<typeof canvasRequest>>;
  readonly template: z.ZodType<Parsed<typeof templateRequest>>;
}

/** The schemas of both shapes. */
const SCHEMAS: Readonly<Record<RequestOutput, RequestSchemas>> = {
  picture: { canvas: canvasRequest, template: templateRequest },
  document: { canvas: documentCanvasRequest, template: documentTemplateRequest },
};

interface RequestOptions {
  /** Maximum number of layers on a canvas. */
  readonly maxLayers: number;
  /** Default `picture`. */
  readonly output?: RequestOutput;
}

/**
 * Parses `body` in the shape that its keys choose: `templateId`, or `canvas` and `layers`.
 * Throws RenderError `invalid_request` with a detail for every issue.
 */
export function parseRequest(body: unknown, { maxLayers, output = 'picture' }: RequestOptions): RenderRequest {
  const fields = normalizeBody(body);
  switch (shapeOf(fields)) {
    case 'canvas': {
      const tooMany = Array.isArray(fields.layers) && countLayers(fields.layers, maxLayers) > maxLayers;
      // Too many layers are not checked one by one: ten million numbers would give ten million issues.
      const layers = tooMany ? [] : fields.layers;
      const { canvas: plainCanvas, background } = withoutDynamicBackground(fields);
      const normalized = {
        ...fields,
        canvas: plainCanvas,
        document: withoutNulls(fields.document, 1),
        layers,
      };
      const { data, details } = parseWith(SCHEMAS[output].canvas, normalized, body);
      if (tooMany) {
        details.push({ ...issue('layers', fields.layers, `at most ${maxLayers} layers`), code: 'limit_exceeded' });
      }
      if (!data || details.length > 0) throw invalidRequest(withOperations(details, fields, output));
      return { kind: 'canvas', ...data, ...(background !== undefined && { background }) };
    }
    case 'template': {
      const { data, details } = parseWith(
        SCHEMAS[output].template,
        { ...fields, document: withoutNulls(fields.document, 1) },
        body,
      );
      if (!data) throw invalidRequest(withOperations(details, fields, output));
      return { kind: 'template', ...data };
    }
  }
}

/** Whether the body is that of a document of several pages. */
export function hasPages(body: unknown): boolean {
  return isObject(body) && body.pages !== undefined && body.pages !== null;
}

/** Parses the body of a document of several pages, but not its pages. Throws as `parseRequest` does. */
export function parsePagesRequest(body: unknown): PagesRequest {
  const fields = normalizeBody(body);
  const others = ['canvas', 'layers', 'templateId'].filter((key) => fields[key] !== undefined);
  if (others.length > 0) {
    const expected = 'canvas, layers and templateId in the pages';
    const message = `received both pages and ${others.join(' and ')}, expected ${expected}`;
    throw invalidRequest([{ code: 'conflicting_values', path: '', message, expected }]);
  }
  const { data, details } = parseWith(
    documentPagesRequest,
    { ...fields, document: withoutNulls(fields.document, 1) },
    body,
  );
  if (!data) throw invalidRequest(details);
  return { kind: 'pages', ...data };
}

/** Takes the background colour from the canvas if it is known only when the payload is resolved. */
function withoutDynamicBackground(fields: Record<string, unknown>) {
  const canvas = withoutNulls(fields.canvas, 1);
  if (!isObject(canvas) || !canvasUsesData(fields) || !isDynamic(canvas.backgroundColor)) return { canvas };
  const { backgroundColor, ...plain } = canvas;
  return { canvas: plain, background: backgroundColor as string };
}

/** Says where a format is made that belongs to the other operation. */
function withOperations(
  details: readonly Detail[],
  { format: name }: Readonly<Record<string, unknown>>,
  output: RequestOutput,
): Detail[] {
  const isOther = (output === 'picture' ? documentFormat : format).safeParse(name).success;
  const place =
    output === 'picture'
      ? 'documents are made by POST /v1/documents, -o x.svg or the option format'
      : 'pictures are made by POST /v1/render';
  return details.map((detail) =>
    isOther && detail.path === 'format' ? { ...detail, message: `${detail.message}; ${place}` } : detail,
  );
}

const EXPECTED_SHAPE = 'either templateId, or canvas and layers';

/** The shape that the keys of `body` choose. The error of a zod union would only say "invalid input". */
function shapeOf(body: Record<string, unknown>): RenderRequest['kind'] {
  const drawn = ['canvas', 'layers'].filter((key) => body[key] !== undefined);
  const saved = body.templateId !== undefined;
  if (saved && drawn.length > 0) {
    const message = `received both templateId and ${drawn.join(' and ')}, expected ${EXPECTED_SHAPE}`;
    throw invalidRequest([{ code: 'conflicting_values', path: '', message, expected: EXPECTED_SHAPE }]);
  }
  if (saved) return 'template';
  if (drawn.length > 0) return 'canvas';
  const hint = ['templateId', 'layers', 'canvas']
    .map((field) => renameHint(body, field))
    .find((each) => each !== undefined);
  throw invalidRequest([issue('', body, EXPECTED_SHAPE, hint)]);
}

/** Bytes of `value` as JSON in UTF-8; infinite if it can't be serialized, such as a BigInt from a caller of the library. */
export function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
