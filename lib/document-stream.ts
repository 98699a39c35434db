// Documents of several pages: paints one page after the other, in this process or in another one.
import { hasPages, parsePagesRequest } from './contract/api/request.js';
import { unknownOption } from './contract/messages/closest-match.js';
import { invalidRequest, issue, joinPath, limitWarnings } from './contract/messages/issues.js';
import { strictnessOf } from './contract/messages/strictness.js';
import { isObject } from './contract/schema/fields.js';
import { unknownInRequest } from './contract/unknown-fields.js';
import { RenderError } from './errors.js';
import { loadDataFor } from './load-data.js';
import { normalizeOptions } from './normalize-options.js';
import type { CommonOptions, DocumentOptions, PageWithOptions } from './options.js';
import { createConformanceCheck } from './render/conformance.js';
import { openPdf } from './render/document.js';
import { withLinkWarnings } from './render/links.js';
import { breakPages, flows, type ScenePage } from './render/paginate.js';
import type { PaintContext } from './render/paint-scene.js';
import { assetsOf, DEFAULTS, limitTime, type Reach, type RendererState } from './renderer-state.js';
import { withOutput } from './templates/output.js';
import { PageErrors, pageFields, resolvePages } from './templates/pages.js';
import { type ResolveOptions, resolve } from './templates/resolve.js';
import type { Scene } from './templates/scene.js';

/** What may be reached by a page with a `baseDirectory`. */
type ReachOf = (baseDirectory: string | undefined) => Reach;

/**
 * Yields the bytes of a document, page by page. Checks all pages before it paints the first. Throws RenderError, or the
 * signal's reason.
 */
export async function* documentChunks(
  document: unknown,
  callOptions: CommonOptions & DocumentOptions,
  { typefaces: fontRegistry, icons: iconSets, elsewhere, cache }: RendererState,
  reachOf: ReachOf,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const options = normalizeOptions(callOptions);
  if (!hasPages(document)) throw invalidRequest([issue('pages', undefined, 'an array of pages')]);
  const { pages: payloads, document: fields, quality, lossless } = parsePagesRequest(document);
  const { maxLayers, maxExpandedLayers, timeoutMs, assetMaxPixels: maxPixels } = { ...DEFAULTS, ...options };
  const { signal, onPage } = options;
  const strict = strictnessOf(options);
  const reaches: Reach[] = [];
  const errors = new PageErrors();
  const pages = payloads.flatMap(
    (raw, index) => errors.collect(joinPath('pages', index), () => pageOptions(raw)) ?? [],
  );
  errors.throwAll();
  for (const { payload, locale, variables } of pages) {
    await loadDataFor(payload, { locale: locale as string | undefined, variables });
  }
  const icons = await iconSets;
  const resolved = resolvePages(pages, (page, index) => {
    const reach = reachOf(page.baseDirectory as string | undefined);
    reaches[index] = reach;
    const { source: checkUrl } = assetsOf(options, cache, reach);
    return { ...resolvePayloadPage(page, { maxLayers, maxExpandedLayers, icons, checkUrl }), quality, lossless };
  });
  const scenes = withLinkWarnings(resolved);
  scenes.forEach(createConformanceCheck(fields));
  const unknown = [...unknownInRequest(document, 'pages')];
  const typefaces = await fontRegistry;
  /** Calls `work` with the assets of a page, within its time limit. */
  const inTime = <Result>(index: number, work: (context: PaintContext) => Promise<Result>) =>
    limitTime(timeoutMs, signal, (end) => work({ assets: assetsAt(index), typefaces, strict, signal: end }));
  const assetsAt = (index: number) => assetsOf(options, cache, reaches[index]);
  let total = 0;
  /** The pages of scenes that flow, if they are painted here. */
  const broken: ScenePage[][] = [];
  for (const [index, scene] of scenes.entries()) {
    if (!flows(scene.layers)) total++;
    else if (elsewhere) {
      const { pages = [] } = await elsewhere.inspect(scene, { assets: assetsAt(index), timeoutMs, maxPixels, signal });
      total += pages.length;
    } else {
      broken[index] = await inTime(index, (context) => breakPages(scene, context));
      total += broken[index].length;
    }
  }
  const process = await elsewhere?.openDocument(signal);
  const pdf = process ? undefined : await openPdf(fields, scenes[0]?.locale);
  try {
    let first = 1;
    for (const [index, scene] of scenes.entries()) {
      const numbers = { page: first, pages: total };
      const isLast = index === scenes.length - 1;
      const place = { document: fields, numbers, isFirst: index === 0, isLast };
      const {
        bytes,
        pages: count = 1,
        ...painted
      } = process
        ? await process.add(scene, { assets: assetsAt(index), strict, timeoutMs, maxPixels, signal, place })
        : await inTime(index, (context) => pdf!.add(broken[index] ?? [{ scene, warnings: [] }], context, numbers));
      const { width, height } = painted;
      const warnings = limitWarnings(index === 0 ? unknown : [], painted.warnings);
      onPage?.({ index, pages: count, width, height, warnings });
      // what comes from another process is part of a larger buffer
      if (bytes.length > 0) yield new Uint8Array(bytes);
      first += count;
    }
    if (pdf) yield await pdf.finish();
  } finally {
    process?.close();
  }
}

/** A page of the library's documents, whose options may be of any type. */
type RawPage = { readonly [Option in Exclude<keyof PageWithOptions, 'payload'>]?: unknown } & {
  readonly payload: unknown;
};

const PAGE_OPTIONS: readonly string[] = [
  'payload',
  'variables',
  'size',
  'scale',
  'theme',
  'tokens',
  'locale',
  'baseDirectory',
] satisfies (keyof RawPage)[];

/** The payload of a page, and its options, which are checked. */
function pageOptions(raw: unknown): RawPage {
  if (!isObject(raw) || raw.payload === undefined) return { payload: raw };
  const { payload, variables, ...options } = raw;
  const unknown = Object.keys(options).find((name) => !PAGE_OPTIONS.includes(name));
  if (unknown !== undefined) throw new RenderError('invalid_request', unknownOption(unknown, PAGE_OPTIONS));
  return { payload, variables, ...normalizeOptions(options) };
}

/** Resolves a page of the library. */
function resolvePayloadPage(
  { payload, scale, baseDirectory: _, ...own }: RawPage,
  options: Pick<ResolveOptions, 'maxLayers' | 'maxExpandedLayers' | 'icons' | 'checkUrl'>,
): Scene {
  const { page, warnings } = pageFields(payload);
  const given = own as Pick<ResolveOptions, 'variables' | 'size' | 'theme' | 'tokens' | 'locale'>;
  const scene = resolve(page, { ...options, ...given, numbersPages: true });
  const found = { ...scene, warnings: limitWarnings(warnings, scene.warnings) };
  return withOutput(found, { scale: scale as number | undefined });
}
