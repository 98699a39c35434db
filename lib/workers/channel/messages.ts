// Reads what a render process sends. Nothing of it is believed that its parent can know itself: the format, the size and
// the hash of a picture, and the media type of a file.
import { createHash } from 'node:crypto';
import { AssetFile } from '../../assets/asset-file.js';
import {
  type AssetDescription,
  type FontDescription,
  type ImageDescription,
  sniffAsset,
} from '../../assets/inspect.js';
import { type FileFormat, isDocumentFormat } from '../../codecs/codec.js';
import { sniffRaster } from '../../codecs/sniff.js';
import type { LayerInspection, PageInspection } from '../../contract/api/inspection.js';
import { MAX_ALT_LENGTH } from '../../contract/layers/limits.js';
import { isFitted, MAX_PAGES, outputSize } from '../../contract/layers/output-size.js';
import { FINDING_CODES, type FixOperation, MAX_FINDINGS, SEVERITIES } from '../../contract/messages/findings.js';
import { type DetailCode, FAULT_CODES, WARNING_CODES, type WarningCode } from '../../detail-codes.js';
import { type Detail, MAX_DETAILS, type Scalar, type Warning } from '../../errors.js';
import type { MeasuredFinding } from '../../findings/rules.js';
import type { FontReport } from '../../fonts/report.js';
import type { Typeface } from '../../fonts/typeface.js';
import type { Stage } from '../../render.js';
import type { StageBegin } from '../../stage-budget.js';
import type { Scene } from '../../templates/scene.js';
import type { InspectJob, InspectJobResult, Job, JobFailure, JobResult } from '../job.js';
import {
  boolean,
  type Check,
  count,
  list,
  matching,
  number,
  object,
  oneOf,
  optional,
  record,
  scalar,
  string,
  tuple,
} from './checks.js';
import type { FrameLimits } from './frames.js';

/** Reads the answer to one job. */
export interface AnswerReader<Result> {
  readonly limits: FrameLimits;
  /** Throws when the process did not answer what was asked. */
  read(result: unknown, body: Uint8Array): Result;
}

/** A message of a render process, apart from the result of its job. */
export type ProcessMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'stage'; readonly begin: StageBegin }
  | { readonly kind: 'stageEnd' }
  | ({ readonly kind: 'result'; readonly result: unknown } & Report)
  | ({ readonly kind: 'failure'; readonly failure: JobFailure; readonly broken: boolean } & Report);

interface Report {
  readonly memory: number;
  readonly ms: number;
  readonly cpuMs: number;
}

/** A process that has no job says only that it is ready. */
export const IDLE_LIMITS: FrameLimits = { head: 1024, body: 0 };

const MEBIBYTE = 2 ** 20;
/** Warnings and details of all layers. */
const HEAD_BYTES = 4 * MEBIBYTE;
/** An inspection has at most 1,000,000 characters of lines, which take 6 bytes each when they are escaped. */
const INSPECTION_BYTES = 32 * MEBIBYTE;
/** No encoder makes more of a pixel of noise; small files have room for their headers. */
const BYTES_PER_PIXEL = 8;
const FILE_BYTES = MEBIBYTE;
const RGBA_BYTES = 4;
const DOCUMENT_BYTES = 256 * MEBIBYTE;

const any: Check<unknown> = (value) => value;
const REPORT = { memory: count, ms: count, cpuMs: count };
const warningCode = oneOf(...(Object.keys(WARNING_CODES) as WarningCode[]));
const detailCode = oneOf(...(Object.keys({ ...FAULT_CODES, ...WARNING_CODES }) as DetailCode[]));
/** A stage's place and message are shown to the user, so they are no longer than one line. */
const line = string(500);
/** The fields of warnings and details, but for the code. */
const finding = {
  path: string(),
  layerId: optional(string()) as Check<string>,
  column: optional(string()) as Check<string>,
  message: string(),
  value: optional(scalar) as Check<Scalar>,
  expected: optional(string()) as Check<string>,
  suggestion: optional(scalar) as Check<Scalar>,
};
const detail = { ...finding, code: detailCode, more: optional(count) as Check<number> };
const stageBegin = object<StageBegin>({
  stage: oneOf('svg', 'picture', 'font', 'layout'),
  detail: object<Detail>({ ...detail, path: line, message: line }),
  limitMs: count,
});
const KINDS = {
  stage: object<ProcessMessage & { kind: 'stage' }>({ kind: oneOf('stage'), begin: stageBegin }),
  stageEnd: object<ProcessMessage & { kind: 'stageEnd' }>({ kind: oneOf('stageEnd') }),
  ready: object<ProcessMessage & { kind: 'ready' }>({ kind: oneOf('ready') }),
  begun: object<ProcessMessage & { kind: 'begun' }>({ kind: oneOf('begun') }),
  result: object<ProcessMessage & { kind: 'result' }>({ kind: oneOf('result'), result: any, ...REPORT }),
  failure: object<ProcessMessage & { kind: 'failure' }>({
    kind: oneOf('failure'),
    failure: object<JobFailure>({
      // codes of other answers, such as 401, are not a render's to give
      code: oneOf('invalid_request', 'render_failed', 'asset_failed', 'render_timeout', 'internal_error'),
      message: string(),
      details: list(object<Detail>(detail), MAX_DETAILS + 1),
    }),
    broken: boolean,
    ...REPORT,
  }),
};

/** The head that every job has first. */
const BEGUN = Buffer.from(JSON.stringify({ kind: 'begun' }));

/** Throws for anything that a process does not send. */
export function readAnswer(head: Buffer): ProcessMessage {
  if (head.equals(BEGUN)) return { kind: 'begun' };
  const value = JSON.parse(head.toString('utf8')) as { readonly kind?: unknown } | null;
  const kind = value?.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    throw new Error('received an unknown kind of message');
  }
  return KINDS[kind as keyof typeof KINDS](value, kind);
}

const warnings = list(object<Warning>({ ...finding, code: warningCode }), 100);
const stages = list(tuple<[Stage, number]>(oneOf('load', 'layout', 'paint', 'encode'), count), 100);

/** Width and height of a picture that ends where its layers do. */
type FittedSize = readonly [width: number, height: number];
const fittedSize = optional(tuple<FittedSize>(count, count)) as Check<FittedSize>;

/** The size of the scene's picture in pixels. Only if the layers decide it, the process has a say, within the canvas. */
function pictureSize({ canvas }: Scene, size: FittedSize | undefined) {
  const most = outputSize(canvas);
  const [width, height] = size ?? (isFitted(canvas) ? [0, 0] : [most.width, most.height]);
  const isSide = (side: number, limit: number, isAuto: boolean | undefined) =>
    isAuto ? Number.isInteger(side) && side >= 1 && side <= limit : side === limit;
  if (!isSide(width, most.width, canvas.autoWidth) || !isSide(height, most.height, canvas.autoHeight)) {
    throw new Error('received a size that the picture can’t have');
  }
  return { width, height };
}

type RenderReport = Required<Pick<JobResult, 'warnings' | 'stages' | 'broken'>> &
  Pick<JobResult, 'pixelsSha256' | 'pages'> & { readonly size?: FittedSize };
const renderReport = object<RenderReport>({
  warnings,
  stages: optional(stages) as Check<RenderReport['stages']>,
  broken: optional(boolean) as Check<boolean>,
  pixelsSha256: optional(matching(/^[\da-f]{64}$/)) as Check<string>,
  pages: optional(count) as Check<number>,
  size: fittedSize,
});

/** Reads the picture of a job. */
export function pictureReader({ scene, pixels, digest, pixelDigest, place }: Job): AnswerReader<JobResult> {
  const { format } = scene;
  const most = outputSize(scene.canvas);
  const page = most.width * most.height * (pixels ? RGBA_BYTES : BYTES_PER_PIXEL) + (pixels ? 0 : FILE_BYTES);
  const body = format === 'pdf' && !pixels ? Math.min(DOCUMENT_BYTES, page * MAX_PAGES) : page;
  return {
    limits: { head: HEAD_BYTES, body },
    read(result, bytes) {
      const { pixelsSha256, size, ...report } = renderReport(result, 'result');
      const { width, height } = pictureSize(scene, size);
      const isFile = place?.isFirst === false || isFileOf(format, bytes);
      if (pixels ? bytes.length !== width * height * RGBA_BYTES : !isFile) {
        throw new Error(`received ${bytes.length} bytes that are not the picture that was asked for`);
      }
      if (pixelDigest && pixelsSha256 === undefined) throw new Error('received no hash of the pixels');
      return {
        bytes,
        format,
        width,
        height,
        ...report,
        ...(digest && { sha256: createHash('sha256').update(bytes).digest('base64url') }),
        ...(pixelDigest && { pixelsSha256 }),
      } as JobResult;
    },
  };
}

/** Whether the bytes begin as a file of the format does. */
function isFileOf(format: FileFormat, bytes: Uint8Array): boolean {
  if (!isDocumentFormat(format)) return sniffRaster(bytes) === format;
  return Buffer.from(bytes.subarray(0, 5))
    .toString('latin1')
    .startsWith(format === 'pdf' ? '%PDF-' : '<svg ');
}

const box = tuple<[number, number, number, number]>(number, number, number, number);
const MAX_ITEMS = 1_000_000;
/** The changes of one finding, and the operations of one change: a font may be named by each of 500 layers. */
const MAX_CHANGES = 1000;
const MAX_OPERATIONS = 10_000;
const text = string();
const layer = object<LayerInspection>({
  path: text,
  id: optional(text) as Check<string>,
  type: matching(/^[a-z]{1,20}$/) as Check<LayerInspection['type']>,
  box,
  inkBox: box,
  visible: optional(oneOf(false)) as Check<false>,
  alt: optional(string(MAX_ALT_LENGTH)) as Check<string>,
  fontSize: optional(number),
  lines: optional(list(object({ text, x: number, y: number, width: number, baseline: number }), MAX_ITEMS)),
  moreLines: optional(number) as Check<number>,
  fonts: optional(list(text, MAX_ITEMS)),
  overflow: optional(boolean),
  natural: optional(tuple<[number, number]>(number, number)),
  source: optional(box),
  bytes: optional(number),
  format: optional(matching(/^[a-z]{1,10}$/)),
});
const measure = optional((value: unknown, name: string) => (typeof value === 'number' ? number : line)(value, name));
const operation = object<FixOperation & { readonly from: string; readonly value: unknown }>({
  op: oneOf('add', 'replace', 'remove', 'move') as Check<'move'>,
  path: string(10_000),
  from: optional(string(10_000)) as Check<string>,
  value: any,
});
const measuredFinding = object<Required<MeasuredFinding>>({
  code: oneOf(...FINDING_CODES),
  severity: oneOf(...SEVERITIES),
  path: string(),
  message: string(),
  value: measure as Check<number | string>,
  limit: measure as Check<number | string>,
  changes: optional(list(list(operation, MAX_OPERATIONS), MAX_CHANGES)) as Check<Required<MeasuredFinding>['changes']>,
});
type LayersReport = Pick<InspectJobResult, 'alt' | 'warnings' | 'layers' | 'findings' | 'pages' | 'stages' | 'broken'>;
const layers = list(layer, MAX_ITEMS);
const page = object<PageInspection>({ width: count, height: count, layers });
const inspection = object<Required<LayersReport> & { readonly size?: FittedSize }>({
  alt: string(MAX_ALT_LENGTH),
  warnings,
  layers,
  findings: optional(list(measuredFinding, MAX_FINDINGS)) as Check<readonly MeasuredFinding[]>,
  pages: optional(list(page, MAX_PAGES)) as Check<Required<LayersReport>['pages']>,
  stages: optional(stages) as Check<Required<LayersReport>['stages']>,
  broken: optional(boolean) as Check<boolean>,
  size: fittedSize,
});

export function inspectionReader({ scene }: InspectJob): AnswerReader<InspectJobResult> {
  return {
    limits: { head: INSPECTION_BYTES, body: 0 },
    read(result) {
      const { size, ...inspected } = inspection(result, 'result');
      return { ...pictureSize(scene, size), ...inspected };
    },
  };
}

const names = list(string(1000), 10_000);
const name = string(1000);
const imageDescription = object<Omit<ImageDescription, 'mimeType'>>({
  kind: oneOf('image'),
  width: count,
  height: count,
});
const fontDescription = object<Omit<FontDescription, 'mimeType'>>({
  kind: oneOf('font'),
  family: name,
  weight: count,
  style: oneOf('normal', 'italic'),
  typeface: object<Typeface>({
    scripts: names,
    category: matching(/^[a-z-]{1,20}$/) as Check<Typeface['category']>,
    sample: name,
    isVariable: boolean,
  }),
});

/** Reads the description of a file, which this process looks at only to tell its media type. */
export function descriptionReader(bytes: Uint8Array): AnswerReader<AssetDescription> {
  return {
    limits: { head: HEAD_BYTES, body: 0 },
    read(result) {
      const file = new AssetFile(bytes);
      const mimeType = sniffAsset(file);
      if (mimeType === undefined) throw new Error('received a description of a file that is no image or font');
      if (file.format === undefined) return { mimeType, ...fontDescription(result, 'result') };
      return { mimeType, ...imageDescription(result, 'result') };
    },
  };
}

const fontReport = object<FontReport>({
  format: oneOf('TTF', 'OTF', 'TTC', 'WOFF', 'WOFF2'),
  faces: count,
  names: record(string(), 1000),
  weights: list(number, 100),
  style: oneOf('normal', 'italic'),
  axes: list(object({ tag: name, name, min: number, default: number, max: number }), 1000),
  features: names,
  color: names,
  scripts: names,
  languages: list(object({ code: name, name }), 10_000),
  glyphs: count,
  characters: count,
  licence: object<FontReport['licence']>({
    text: optional(text) as Check<string>,
    url: optional(text) as Check<string>,
    embedding: name,
  }),
  missing: optional(list(text, MAX_ITEMS)) as Check<string[]>,
});

export const FONT_REPORT: AnswerReader<FontReport> = {
  limits: { head: HEAD_BYTES, body: 0 },
  read: (result) => fontReport(result, 'result'),
};
