// `templates lint` and `templates diff`: findings in one template, and the differences of two. Each template is a file or
// comes from the store.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { encodeImage } from '../../codecs/index.js';
import { isTemplate } from '../../contract/hotspots.js';
import { parseTemplate } from '../../contract/template.js';
import { type Detail, RenderError } from '../../errors.js';
import { Pixmap } from '../../raster/pixmap.js';
import { readRenderSettings } from '../../settings.js';
import { openAdmin } from '../../store/open.js';
import { diffTemplates } from '../../templates/diff.js';
import { lintTemplate } from '../../templates/lint.js';
import { diffPixels } from '../../templates/pixel-diff.js';
import { rendererOptions } from '../commands/render.js';
import { EXIT } from '../errors.js';
import { checkOutputPath, replaceFile } from '../output-file.js';
import { type LoadedPayload, readPayload } from '../payload.js';
import { type CommandOutput, formatTable } from '../print.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import type { AdminAction } from './args.js';

type StorePlace = Parameters<typeof openAdmin>[0];
type TemplatesAction = Extract<AdminAction, { kind: 'templates lint' | 'templates diff' }>;

/** Runs `templates lint` or `templates diff`. Throws errors that `report` can format. */
export async function compareOrLint(
  action: TemplatesAction,
  place: StorePlace,
  context: CliContext,
): Promise<CommandOutput> {
  if (action.kind === 'templates lint') return lint(await readRecord(action.source, place, context), context);
  const { before, after, output } = action;
  if (output !== undefined) await checkOutputPath(resolve(context.directory, output));
  return await diff(await readRecord(before, place, context), await readRecord(after, place, context), output, context);
}

function lint({ value }: TemplateRecord, context: CliContext): CommandOutput {
  const { MAX_LAYERS: maxLayers } = readRenderSettings(context.environment);
  const findings = lintTemplate(value, { maxLayers });
  const text = formatTable(
    findings.map((each) => ({ ...each })),
    ['path', 'message'],
    'no findings',
  );
  return { value: findings, text, code: findings.length > 0 ? EXIT.failed : EXIT.done };
}

async function diff(
  before: TemplateRecord,
  after: TemplateRecord,
  output: string | undefined,
  context: CliContext,
): Promise<CommandOutput> {
  const fields = diffTemplates(before.value, after.value);
  const table = formatTable(
    fields.map((each) => ({ ...each })),
    ['path', 'before', 'after'],
    'no field differs',
  );
  if (output === undefined) return { value: { fields }, text: table };
  const { differing, width, height, data } = diffPixels(
    await renderDefaults(before, context),
    await renderDefaults(after, context),
  );
  const png = await encodeImage(new Pixmap(width, height, data), 'png', { quality: 100 });
  await replaceFile(resolve(context.directory, output), png);
  const total = width * height;
  const pixels = { differing, total, share: differing / total };
  const percent = percentOf(differing, total);
  const text = `${table}\n${oneLine(`${percent} of the pixels differ (${differing} of ${total}): ${output}`)}`;
  return { value: { fields, pixels }, text };
}

/** A percentage with two digits after the point, which is zero only if `part` is. */
function percentOf(part: number, total: number): string {
  const percent = (part / total) * 100;
  return part > 0 && percent < 0.01 ? 'less than 0.01%' : `${percent.toFixed(2)}%`;
}

/** The pixels of the template without variables. */
async function renderDefaults({ name, value, baseDirectory }: TemplateRecord, context: CliContext) {
  const { renderToPixels } = await import('../../index.js');
  const options = { ...rendererOptions(readRenderSettings(context.environment)), baseDirectory };
  const { warnings, ...pixels } = await renderToPixels(value, options);
  const lines = warnings.map(({ path, message }) => oneLine(`warning: ${name}: ${path}: ${message}`));
  if (lines.length > 0) await write(context.errors, lines.join(''));
  return pixels;
}

interface TemplateRecord extends LoadedPayload {
  /** What messages call it. */
  readonly name: string;
}

const TEMPLATE_ID = /^tpl_\w+$/;

/** Reads the template that `source` names: a file, `-`, or the id of a stored one. Throws RenderError or StoreError. */
async function readRecord(source: string, place: StorePlace, context: CliContext): Promise<TemplateRecord> {
  const isStored = TEMPLATE_ID.test(source) && !(await isFile(resolve(context.directory, source)));
  const loaded = isStored
    ? { value: await exportStored(source, place, context), baseDirectory: context.directory }
    : await readPayload(source, context);
  const name = source === '-' ? 'standard input' : source;
  if (!isTemplate(loaded.value)) throw new RenderError('invalid_request', `${name}: it is no template`);
  try {
    parseTemplate(loaded.value, { maxLayers: readRenderSettings(context.environment).MAX_LAYERS });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    // two templates may be read, so the paths say which one is meant
    const details = error.details.map(
      ({ path, message }): Detail => ({ path: '', message: `${name}: ${path}: ${message}` }),
    );
    throw new RenderError(error.code, `${name}: ${error.message}`, { details, cause: error });
  }
  return { ...loaded, name };
}

async function exportStored(id: string, place: StorePlace, context: CliContext): Promise<unknown> {
  const warn = (message: string) => void write(context.errors, oneLine(`warning: ${message}`));
  const store = await openAdmin(place, { create: false, warn });
  try {
    return (await store.getTemplateRecord({ id })).record;
  } finally {
    await store.close();
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
