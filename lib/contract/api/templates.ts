// Schemas and types of `/v1/templates`: bodies and answers. The record itself is parsed by parseTemplate.
import * as z from 'zod';
import { invalidRequest, issue } from '../messages/issues.js';
import { freeObject, isObject, number, record } from '../schema/fields.js';
import { parseWith } from '../schema/normalize.js';
import { pageOf } from './response.js';

/** Largest record of a template as JSON, in bytes. */
export const MAX_RECORD_BYTES = 4 * 2 ** 20;

const timestamp = (description: string) => z.string().meta({ format: 'date-time', description });
const version = () => z.number().int().min(1);

export const templateHotspot = z.object({
  key: z.string().describe('the name of the variable'),
  label: z.string().describe('for people; a variable may use it instead of the key'),
  type: z.string().describe('type of the layer: text, image, qrcode, barcode, …'),
});

const drawn = {
  name: z.string(),
  width: z.number().int().describe('pixels'),
  height: z.number().int().describe('pixels'),
  hotspots: z.array(templateHotspot).describe('what variables fill, in drawing order'),
};

/** A template in a list: its latest version. */
export const templateSummary = z.object({
  id: z.string(),
  version: version().describe('the latest version: 1, 2, …'),
  publishedVersion: version().nullable().describe('what renders use; null for a draft that was never published'),
  createdAt: timestamp('when version 1 was made'),
  updatedAt: timestamp('when the template was last changed'),
  ...drawn,
});

const savedRecord = freeObject().describe('the template as it was saved');

/** The answer for one template. */
export const templateAnswer = templateSummary.extend({ record: savedRecord });

/** A version in a list. Versions never change. */
export const versionSummary = z.object({ version: version(), createdAt: timestamp('when it was made'), ...drawn });

export const versionAnswer = versionSummary.extend({ record: savedRecord });

/** The JSON Schema of a template's variables. */
export const variablesSchema = z
  .looseObject({
    title: z.string().optional().describe('the name of the template'),
    type: z.literal('object'),
    properties: z.record(z.string(), freeObject()).describe('the schema of each variable'),
    required: z.array(z.string()).optional(),
  })
  .describe('a JSON Schema of draft 2020-12');

export const templatePage = pageOf(templateSummary);
export const versionPage = pageOf(versionSummary);

/** The body of `restore` and `publish`. */
export const versionBody = record({
  version: number({ min: 1, whole: true }).describe('a version of this template'),
});

export type TemplateHotspot = z.output<typeof templateHotspot>;
export type TemplateSummary = z.output<typeof templateSummary>;
export type TemplateAnswer = z.output<typeof templateAnswer>;
export type VersionSummary = z.output<typeof versionSummary>;
export type VersionAnswer = z.output<typeof versionAnswer>;
export type TemplatePage = z.output<typeof templatePage>;
export type VersionPage = z.output<typeof versionPage>;

/** The version that the body of `restore` or `publish` names. Throws RenderError `invalid_request`. */
export function parseVersionBody(body: unknown): number {
  const { data, details } = parseWith(versionBody, body);
  if (data) return data.version;
  throw invalidRequest(isObject(body) ? details : [issue('', body, 'an object')]);
}

/** The number at the end of `/versions/{version}`; undefined if it is no version, which then does not exist. */
export function parseVersion(segment: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : undefined;
}
