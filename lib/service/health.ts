// Liveness (should the process be restarted?) and readiness (should it get requests?). A node that is draining, or can't store
// charges, is not ready, but is alive: killing it would help nobody.
import type { RequestStore } from '../store/types.js';
import { jsonAnswer } from './http/answer.js';
import type { Engine } from './render/engine.js';
import type { Answer, Phase } from './request.js';

export interface HealthOptions {
  readonly store: Pick<RequestStore, 'assertWritable'>;
  readonly engine: Pick<Engine, 'isReady'>;
  readonly phase?: (() => Phase) | undefined;
  /** The walls around render processes, for `/readyz`. */
  readonly walls?: readonly string[] | undefined;
  /** Milliseconds for which the result of a probe is reused: unauthenticated callers must not load the store. */
  readonly freshMs?: number;
  /** The store counts as unavailable when it takes longer than this, in milliseconds. */
  readonly timeoutMs?: number;
}

export interface Health {
  /** 200 while a render process answers and the server accepts renders. */
  alive(): Promise<Answer>;
  /** 200 when a render that arrives now would find a render process, and its charge could be stored. */
  ready(): Promise<Answer>;
}

const FRESH_MS = 1000;
const PROBE_TIMEOUT_MS = 2000;
const RETRY_AFTER_SECONDS = 1;

export function createHealth(options: HealthOptions): Health {
  const { store, engine, phase = () => 'serving', walls, freshMs = FRESH_MS, timeoutMs = PROBE_TIMEOUT_MS } = options;
  let result: Promise<boolean> | undefined;

  function canCharge(): Promise<boolean> {
    if (result) return result;
    const probe = store.assertWritable().then(
      () => true,
      () => false,
    );
    result = probe;
    // one probe at a time, even if it takes long
    void probe.finally(() => setTimeout(() => (result = undefined), freshMs).unref());
    return probe;
  }

  return {
    async alive() {
      if (phase() === 'closing') return unhealthy('closing');
      return (await engine.isReady()) ? healthy() : unhealthy('starting');
    },
    async ready() {
      if (phase() !== 'serving') return unhealthy(phase());
      const [isEngineReady, isStored] = await Promise.all([engine.isReady(), within(timeoutMs, canCharge())]);
      // the shutdown may have begun meanwhile
      if (phase() !== 'serving') return unhealthy(phase());
      if (!isStored) return unhealthy('storage_unavailable');
      return isEngineReady ? healthy(walls) : unhealthy('starting');
    },
  };
}

/** The result of the probe; false if it takes longer. */
async function within(milliseconds: number, probe: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([probe, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const healthy = (walls?: readonly string[]) => jsonAnswer(200, { status: 'ok', ...(walls && { walls }) });
const unhealthy = (status: string) => jsonAnswer(503, { status }, [['Retry-After', String(RETRY_AFTER_SECONDS)]]);
