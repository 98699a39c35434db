// The system under test: the service without its socket, an empty store and one real render process at a time. Returns each
// request's result with the time and memory that it took.
import { readFileSync, writeFileSync } from 'node:fs';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import { createService } from '../../lib/service/app.js';
import { createEngine, type EngineOptions } from '../../lib/service/render/engine.js';
import type { ServiceStore } from '../../lib/service/request.js';
import { readSettings } from '../../lib/settings.js';
import type { RenderPool } from '../../lib/workers/pool.js';
import { processorTimeOf } from '../../lib/workers/processor-time.js';
import { WorkerProcess } from '../../lib/workers/worker-process.js';
import { MAX_LAYERS, type Request } from './targets.js';

export interface Result {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Total milliseconds, and CPU milliseconds in the server's own process. */
  readonly ms: number;
  readonly frontMs: number;
  /** Milliseconds of processor time that the render process used; 0 if nothing was rendered. */
  readonly renderCpuMs: number;
  /** Peak growth of the render process in bytes, and its admitted estimate; undefined if nothing was rendered. */
  readonly grown: number | undefined;
  readonly admitted: number | undefined;
  /** Lines that the render process wrote to stderr, and unexpected errors of the service. */
  readonly remarks: readonly string[];
}

export interface Subject {
  ask(request: Request): Promise<Result>;
  /** Number of processes that were started. */
  readonly started: number;
  /** Ends the process: the next request gets a fresh one. */
  renew(): void;
}

const KEY = `svc_live_${'0'.repeat(64)}`;
/** The limits of lib/workers/pool.ts. */
const MAX_JOBS = 2000;
const MAX_MEMORY = 512 * 2 ** 20;
const KIBIBYTE = 1024;
const MEMORY_BUDGET_BYTES = 2 ** 28;

export function createSubject({ deadlineMs }: { readonly deadlineMs: number }): Subject {
  const settings = readSettings({
    RENDER_TIMEOUT_MS: String(deadlineMs),
    RENDER_CACHE_MB: '0',
    RENDER_WORKERS: '1',
    ASSET_TIMEOUT_MS: '500',
    MAX_LAYERS: String(MAX_LAYERS),
  });
  let worker: WorkerProcess | undefined;
  let started = 0;
  let remarks: string[] = [];
  let grown: number | undefined;
  let renderCpuMs = 0;
  let admitted: number | undefined;
  let record: unknown;

  function current(): WorkerProcess {
    if (!worker || worker.retired) {
      started++;
      const entry = new URL('./child.js', import.meta.url);
      worker = new WorkerProcess({ entry, report: (line) => remarks.push(line) }, () => {});
    }
    return worker;
  }

  const pool: RenderPool = {
    async run(job, signal, { onReleased } = {}) {
      const mine = current();
      await mine.ready;
      const resident = startPeak(mine.pid);
      const cpuBefore = processorTimeOf(mine.pid) ?? 0;
      const startedAt = performance.now();
      try {
        const { result, released: freed } = mine.run(job, signal);
        const finished = await result;
        await freed;
        return finished;
      } finally {
        onReleased?.();
        // nothing is known of a process that was killed but how long it ran
        const cpuAfter = processorTimeOf(mine.pid);
        renderCpuMs = cpuAfter === undefined ? performance.now() - startedAt : cpuAfter - cpuBefore;
        const peak = readPeak(mine.pid);
        grown = peak === undefined || resident === undefined ? undefined : peak - resident;
        if (mine.jobs >= MAX_JOBS || mine.memory >= MAX_MEMORY) mine.kill();
      }
    },
    inspect: () => Promise.reject(new Error('not expected')),
    inspectAsset: () => Promise.reject(new Error('not expected')),
    takeProcess: () => Promise.reject(new Error('there are no documents')),
    ready: async () => {},
    stats: () => ({ idle: 0, restarts: 0, pids: [], processes: [] }),
    close: async () => worker?.kill(),
  };
  const admission: EngineOptions['admission'] = {
    reserve: () => ({
      acquire: async (bytes) => {
        admitted = bytes;
        return () => {};
      },
      release() {},
    }),
    acquireForBatch: async () => () => {},
    batchConcurrency: 1,
    isLight: () => true,
  };
  const engine = createEngine({
    pool,
    admission,
    settings,
    allowAddress: () => false,
    memoryBudget: new MemoryBudget(MEMORY_BUDGET_BYTES),
    resolve: async () => ['127.0.0.1'],
  });
  const store = emptyStore(() => record);
  const service = createService({ store, engine, settings });

  return {
    get started() {
      return started;
    },
    renew() {
      worker?.kill();
      worker = undefined;
    },
    async ask(request) {
      // the time to start a process is not part of the request
      await current().ready.catch(() => {});
      remarks = [];
      grown = undefined;
      renderCpuMs = 0;
      admitted = undefined;
      record = request.record;
      const began = performance.now();
      const used = process.cpuUsage();
      const { answer, code, cause } = await service({
        method: 'POST',
        path: '/v1/render',
        authorization: `Bearer ${KEY}`,
        body: async () => request.body,
        signal: new AbortController().signal,
      });
      const ms = performance.now() - began;
      const { user, system } = process.cpuUsage(used);
      const bytes =
        answer.body instanceof Uint8Array ? answer.body : Buffer.from([...(answer.body as Iterable<string>)].join(''));
      const contentType = answer.headers.get('Content-Type') ?? '';
      const message = contentType.startsWith('application/json') ? messageOf(bytes) : '';
      if (cause !== undefined) remarks.push(cause instanceof Error ? `${cause.stack}` : String(cause));
      const times = { ms, frontMs: (user + system) / 1000, renderCpuMs };
      return { status: answer.status, code, message, contentType, bytes, ...times, grown, admitted, remarks };
    },
  };
}

function messageOf(bytes: Uint8Array): string {
  const { error } = JSON.parse(Buffer.from(bytes).toString()) as { error?: unknown };
  return typeof error === 'string' ? error : '';
}

/** A store with one caller, who has unlimited credits, and the template of the current request. */
function emptyStore(record: () => unknown): ServiceStore {
  const key = {
    id: 'k',
    workspaceId: 'w',
    name: 'fuzz',
    scopes: ['render:write'],
    state: 'active',
    createdAt: '',
  } as const;
  const workspace = { id: 'w', name: 'fuzz', plan: 'paid', balance: 1 } as const;
  const store: Partial<ServiceStore> = {
    findKey: async () => ({ key, workspace }),
    countRequest: async (_id, _window, limit) => ({ allowed: true, limit, remaining: 1, resetMs: 1000 }),
    findBrand: async () => undefined,
    findTemplate: async () => ({ record: record(), version: 1 }),
    hold: async (workspaceId, cost) => ({ hold: { id: 'h', workspaceId, cost } }),
    settle: async () => ({ balance: 1 }),
    release: async () => {},
    appendRender: () => {},
  };
  // renders without an idempotency key use no other methods
  return store as ServiceStore;
}

/** Resets the process's peak resident size to its current size and returns it. Linux only. */
function startPeak(pid: number | undefined): number | undefined {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    return undefined;
  }
  return readPeak(pid);
}

function readPeak(pid: number | undefined): number | undefined {
  try {
    const [, kibibytes] = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * KIBIBYTE;
  } catch {
    return undefined;
  }
}
