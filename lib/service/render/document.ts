// Renders documents of several pages. One process writes a document, whose pages wait for their turns like the rows of a batch;
// the file grows on disk.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Inspection, PageInspection } from '../../contract/api/inspection.js';
import type { PagesRequest, RenderRequest } from '../../contract/api/request.js';
import { limitWarnings } from '../../contract/messages/issues.js';
import type { Warning } from '../../errors.js';
import { createConformanceCheck } from '../../render/conformance.js';
import { describedDocument } from '../../render/document.js';
import { visibleIds, withDanglingLinks } from '../../render/links.js';
import { sceneAlt } from '../../render/page-numbers.js';
import { flows } from '../../render/paginate.js';
import type { Settings } from '../../settings.js';
import type { CheckUrl } from '../../templates/check-layers.js';
import { PageErrors, pageScene } from '../../templates/pages.js';
import type { Scene } from '../../templates/scene.js';
import type { JobResult } from '../../workers/job.js';
import type { DocumentProcess, RenderPool } from '../../workers/pool.js';
import { Admission } from '../admission/index.js';
import { MemoryBudget } from '../admission/memory-budget.js';
import type { EngineCall, EngineImage, FetchedScene, FoundBrand, InspectCall, RunJob, SceneRequest } from './call.js';
import { TemporaryFile } from './temporary-file.js';

/** A page of a document, checked as a request. */
export interface DocumentPage {
  /** `pages[2]`, or empty for a document that is written as one page. */
  readonly path: string;
  readonly request: RenderRequest;
  /** Finds the record of the template that the request names. */
  findRecord(): Promise<unknown>;
}

export interface DocumentRequest extends Pick<PagesRequest, 'document' | 'quality' | 'lossless'> {
  readonly pages: readonly DocumentPage[];
}

/** A finished document with the SHA-256 of its bytes (base64url). Whoever has it closes the file. */
export interface EngineDocument extends Omit<EngineImage, 'bytes' | 'pages'> {
  readonly file: TemporaryFile;
  readonly pages: number;
}

/** A document whose pages are checked. */
export interface DocumentPlan {
  /** Whether a page has a group that flows, so that there may be more pages than were written. */
  readonly flows: boolean;
  /** Counts all pages; lays those out that flow. Rejects as `Engine.inspect` does. */
  countPages(call: InspectCall): Promise<number>;
  /** Inspects the pages one by one. Rejects as `Engine.inspect` does. */
  inspect(call: InspectCall): Promise<Inspection>;
  /** Renders the pages one by one. Rejects as `Engine.render` does. */
  render(call: EngineCall): Promise<EngineDocument>;
}

/** The parts of the engine that documents use. */
interface DocumentParts {
  readonly pool: Pick<RenderPool, 'takeProcess'>;
  readonly admission: Pick<Admission, 'isLight'>;
  readonly settings: Pick<Settings, 'RENDER_WORKERS' | 'RENDER_QUEUE' | 'RENDER_TIMEOUT_MS' | 'DOCUMENT_MAX_BYTES'>;
  /** Resolves a request. Throws RenderError. */
  readonly resolve: (
    request: RenderRequest,
    record: unknown,
    brand: FoundBrand | undefined,
    checkUrl: CheckUrl,
  ) => Promise<Scene>;
  /** What checks the URLs of assets of the call's workspace. */
  readonly checkUrlOf: (call: InspectCall) => CheckUrl;
  readonly withScene: <Result>(
    request: SceneRequest,
    use: (fetched: FetchedScene) => Promise<Result>,
  ) => Promise<Result>;
  readonly inspectScene: (request: Omit<SceneRequest, 'estimate'>) => Promise<Inspection>;
  /** Runs a render's job for the call: counts its processor time, and reports its stages. */
  readonly runJob: RunJob;
  readonly estimate: SceneRequest['estimate'];
}

/** Pages that are checked in one turn of the event loop. */
const PAGES_PER_TURN = 5;
/** All documents that are made or wait for their clients take at most this many times the largest one on disk. */
const LARGEST_ON_DISK = 4;

/** Returns the function that checks a document. It rejects with RenderError, which has what is wrong with any page. */
export function createDocuments(parts: DocumentParts) {
  const { settings, pool, admission } = parts;
  // each document in progress has a process, beside those of renders
  const slots = new Admission({
    concurrency: Math.max(1, settings.RENDER_WORKERS),
    queue: settings.RENDER_QUEUE,
    memoryBytes: Number.POSITIVE_INFINITY,
    maxWaitMs: settings.RENDER_TIMEOUT_MS,
  });
  const disk = new MemoryBudget(LARGEST_ON_DISK * settings.DOCUMENT_MAX_BYTES);

  return async function planDocument(request: DocumentRequest, checkCall: InspectCall): Promise<DocumentPlan> {
    const { pages, document, quality, lossless } = request;
    /** The scene of a page. It is resolved each time, so that the scenes of all pages are never in memory at once. */
    const sceneOf = async ({ path, request: page, findRecord }: DocumentPage, checkUrl: CheckUrl) => {
      const resolved = await parts.resolve(page, await findRecord(), checkCall.brand, checkUrl);
      if (path === '') return resolved;
      return { ...pageScene(resolved, path), document, quality, lossless };
    };
    const checkUrl = parts.checkUrlOf(checkCall);
    const errors = new PageErrors();
    const ids = new Set<string>();
    const flowing = new Set<number>();
    /** The same for all pages. What a template says of its document, the request may not repeat. */
    let fields: Scene['document'];
    /** The first page, whose size and alternative text are those of the document. */
    let firstScene: Scene | undefined;
    let checkConformance: ReturnType<typeof createConformanceCheck> | undefined;
    for (const [index, page] of pages.entries()) {
      if (index > 0 && index % PAGES_PER_TURN === 0) await nextTurn();
      checkCall.signal.throwIfAborted();
      try {
        const scene = await sceneOf(page, checkUrl);
        fields = page.path === '' ? describedDocument(scene) : scene.document;
        firstScene ??= scene;
        checkConformance ??= createConformanceCheck(fields);
        checkConformance(scene);
        for (const id of visibleIds(scene)) ids.add(id);
        if (flows(scene.layers)) flowing.add(index);
      } catch (error) {
        if (page.path === '') throw error;
        errors.add(page.path, error);
      }
    }
    errors.throwAll();
    /** The number of pages that each of the written ones fills. */
    const counts: (number | undefined)[] = pages.map((_, index) => (flowing.has(index) ? undefined : 1));

    const sceneRequest = (page: DocumentPage, call: InspectCall): SceneRequest => ({
      resolve: async (check) => withDanglingLinks(await sceneOf(page, check), ids),
      call: { ...call, permit: undefined, lane: 'batch' },
      estimate: parts.estimate,
    });

    async function inspectPage(index: number, call: InspectCall): Promise<Inspection> {
      const inspection = await parts.inspectScene(sceneRequest(pages[index], call));
      counts[index] = inspection.pages?.length ?? 1;
      return inspection;
    }

    async function countPages(call: InspectCall): Promise<number> {
      for (const index of flowing) if (counts[index] === undefined) await inspectPage(index, call);
      return counts.reduce<number>((sum, count) => sum + count!, 0);
    }

    async function inspect(call: InspectCall): Promise<Inspection> {
      let first: Inspection | undefined;
      let warnings: readonly Warning[] = [];
      const all: PageInspection[] = [];
      const timings = { check: 0, load: 0, layout: 0 };
      for (const index of pages.keys()) {
        const inspection = await inspectPage(index, call);
        const { width, height, layers } = inspection;
        first ??= inspection;
        all.push(...(inspection.pages ?? [{ width, height, layers }]));
        warnings = limitWarnings(warnings, inspection.warnings);
        for (const stage of ['check', 'load', 'layout'] as const) timings[stage] += inspection.timings[stage];
      }
      return { ...first!, pages: all, warnings, timings };
    }

    /** Renders a page into the process of the document. */
    const renderPage = (process: DocumentProcess, index: number, first: number, total: number, call: EngineCall) => {
      const place = {
        document: fields,
        numbers: { page: first, pages: total },
        isFirst: index === 0,
        isLast: index === pages.length - 1,
      };
      // the time limit is that of a picture for each page
      const pageCall = { ...call, timeoutMs: call.timeoutMs * counts[index]! };
      return parts.withScene(sceneRequest(pages[index], pageCall), (fetched) =>
        parts.runJob(fetched, pageCall, (job, end, onReleased) =>
          process.run({ ...job, watermark: call.watermark, place }, end, {
            onReleased,
            isBackground: !admission.isLight(call.tenant),
          }),
        ),
      );
    };

    async function render(call: EngineCall): Promise<EngineDocument> {
      const { tenant, signal, permit } = call;
      const total = await countPages(call);
      const leave = await slots.reserve(tenant, 0).acquire(0, signal);
      let file: TemporaryFile | undefined;
      let process: DocumentProcess | undefined;
      let size: Pick<JobResult, 'width' | 'height'> | undefined;
      let warnings: readonly Warning[] = [];
      let usedMs: number | undefined;
      try {
        // the pages have places of their own
        permit?.release();
        file = await TemporaryFile.create(settings.DOCUMENT_MAX_BYTES, disk.open(tenant.id));
        process = await pool.takeProcess(tenant.id, signal);
        let first = 1;
        for (const index of pages.keys()) {
          const { result, cpuMs } = await renderPage(process, index, first, total, call);
          await file.append(result.bytes);
          size ??= result;
          first += result.pages ?? 1;
          warnings = limitWarnings(warnings, result.warnings);
          if (cpuMs !== undefined) usedMs = (usedMs ?? 0) + cpuMs;
        }
      } catch (error) {
        await file?.close();
        throw error;
      } finally {
        process?.release();
        leave();
      }
      const { width, height } = size!;
      const alt = sceneAlt(firstScene!, total);
      const cpu = usedMs === undefined ? {} : { cpuMs: usedMs };
      return { file, sha256: file.digest(), format: 'pdf', width, height, alt, pages: total, warnings, ...cpu };
    }

    return { flows: flowing.size > 0, countPages, inspect, render };
  };
}
