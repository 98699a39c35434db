// `templates diff`: the differences of two templates. Each is a file or comes from the store.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import '../../node-host.js';
import { encodeImage } from '../../codecs/index.js';
import { assetUrl } from '../../contract/layers/asset-references.js';
import type { Template } from '../../contract/payload.js';
import { checkTemplate } from '../../contract/template/parse.js';
import { isTemplate, listAssetIds } from '../../contract/template/record-layers.js';
import { CodedError, codedError, type Detail, RenderError } from '../../errors.js';
import { Pixmap } from '../../raster/pixmap.js';
import { readRenderSettings } from '../../settings.js';
import { diffTemplates } from '../../templates/diff.js';
import { diffPixels } from '../../templates/pixel-diff.js';
import { checkOutputPath, replaceFile } from '../output-file.js';
import { type LoadedPayload, readPayload } from '../payload.js';
import type { CommandOutput } from '../print.js';
import { rendererOptions } from '../source.js';
import { oneLine, write } from '../stdio.js';
import { parseReference } from './arguments.js';
import { type AdminSession, listOutput } from './command.js';
import { readPages } from './pages.js';

/** Compares two templates. With `output`, also compares their pixels, and writes a PNG of those that differ. */
export async function diff(
  sources: readonly [string, string],
  output: string | undefined,
  session: AdminSession,
): Promise<CommandOutput> {
  const { context } = session;
  if (output !== undefined) await checkOutputPath(resolve(context.directory, output));
  const before = await readRecord(sources[0], session);
  const after = await readRecord(sources[1], session);
  const fields = diffTemplates(before.value, after.value);
  const { text: table } = listOutput(fields, ['path', 'before', 'after'], 'no field differs');
  if (output === undefined) return { value: { fields }, text: table };
  const { differing, width, height, data } = diffPixels(
    await renderDefaults(before, session),
    await renderDefaults(after, session),
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
async function renderDefaults(template: DesignSource, session: AdminSession) {
  const { name, baseDirectory } = template;
  const { context } = session;
  const { createRenderer } = await import('../../index.js');
  const options = { ...rendererOptions(readRenderSettings(context.environment)), baseDirectory };
  const { value, fonts } = await withAssets(template, session);
  const { warnings, ...pixels } = await createRenderer({ ...options, fonts }).renderToPixels(value as Template);
  const lines = warnings.map(({ path, message }) => oneLine(`warning: ${name}: ${path}: ${message}`));
  if (lines.length > 0) await write(context.errors, lines.join(''));
  return pixels;
}

/** The template with its workspace's pictures and fonts in place of `asset:` URLs, and with the families of its fonts. */
export async function withAssets({ value, workspaceId }: DesignSource, session: AdminSession) {
  const fonts: { readonly data: Uint8Array }[] = [];
  if (workspaceId === undefined) return { value, fonts };
  const named = new Set(listAssetIds(value));
  const urls = new Map<unknown, string>();
  await session.withStore(async (store) => {
    for (const { id, kind, mimeType } of await readPages((page) => store.listAssets(workspaceId, page))) {
      const content = kind === 'font' || named.has(id) ? await store.readAsset(workspaceId, id) : undefined;
      if (!content) continue;
      if (kind === 'font') fonts.push({ data: content });
      urls.set(assetUrl(id), `data:${mimeType};base64,${Buffer.from(content).toString('base64')}`);
    }
  });
  const inline = (key: string, each: unknown) =>
    key === 'url' || key === 'customFontUrl' ? urls.get(each) : undefined;
  return { value: JSON.parse(JSON.stringify(value), (key, each) => inline(key, each) ?? each) as unknown, fonts };
}

/** A payload or template, and where it is from. */
export interface DesignSource extends LoadedPayload {
  /** Its name in messages. */
  readonly name: string;
  /** Workspace of a stored template. */
  readonly workspaceId?: string;
}

const STORED = /^tpl_\w+(@.*)?$/;

/**
 * Reads the template that `source` names: a file, `-`, or the id of a stored one, with or without a version. Throws
 * RenderError, StoreError or UsageError.
 */
export async function readRecord(source: string, session: AdminSession): Promise<DesignSource> {
  const design = await readDesign(source, session);
  if (isTemplate(design.value)) return design;
  throw new RenderError('invalid_request', `${design.name}: it is no template`);
}

/** Reads a payload or template as `readRecord` does. */
export async function readDesign(source: string, session: AdminSession): Promise<DesignSource> {
  const { context, settings } = session;
  const isStored = STORED.test(source) && !(await isFile(resolve(context.directory, source)));
  const loaded = isStored
    ? { ...(await readStored(source, session)), baseDirectory: context.directory }
    : await readPayload(source, context);
  const name = source === '-' ? 'standard input' : source;
  if (!isTemplate(loaded.value)) return { ...loaded, name };
  try {
    checkTemplate(loaded.value, { maxLayers: settings.MAX_LAYERS });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    // two templates may be read, so the paths say which one is meant
    const details = error.details.map(
      ({ code, path, message }): Detail => ({ code, path: '', message: `${name}: ${path}: ${message}` }),
    );
    throw codedError(error.code, `${name}: ${error.message}`, { details, cause: error });
  }
  return { ...loaded, name };
}

async function readStored(source: string, session: AdminSession) {
  const { id, version } = parseReference(source);
  return await session.withStore(async (store) => {
    const { workspaceId } = await store.getTemplate({ id });
    return { value: (await store.getTemplateRecord({ id }, version)).record, workspaceId };
  });
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
