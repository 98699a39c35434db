// Liveness (should the process be restarted?) and readiness (should it get requests?). A node that is draining or has lost
// its database is not ready, but is alive: killing it would help nobody.
import type { RequestStore } from '../store/types.js';
import { jsonAnswer } from './http/answer.js';
import type { Engine } from './render/engine.js';
import type { Answer, Phase } from './request.js';

export interface HealthOptions {
  readonly store: Pick<RequestStore, 'findKey'>;
  readonly engine: Pick<Engine, 'isReady'>;
  readonly phase?: (() => Phase) | undefined;
  /** The walls around render processes, for `/readyz`. */
  readonly walls?: readonly string[] | undefined;
  /** How long the result of a store probe is reused, in milliseconds: unauthenticated callers must not load the database. */
  readonly freshMs?: number;
}

export interface Health {
  /** 200 while a render process answers and the server accepts renders. */
  alive(): Promise<Answer>;
  /** 200 when a render that arrives now would find a render process and the store. */
  ready(): Promise<Answer>;
}

/** A hash that no key has: looking it up shows that the store answers. */
const PROBE_HASH = '0'.repeat(64);
const FRESH_MS = 1000;
/** The store counts as unavailable when it takes longer than this, in milliseconds. */
const PROBE_TIMEOUT_MS = 2000;
const RETRY_AFTER_SECONDS = 1;

export function createHealth({
  store,
  engine,
  phase = () => 'serving',
  walls,
  freshMs = FRESH_MS,
}: HealthOptions): Health {
  let probe: Promise<boolean> | undefined;

  function isStoreAvailable(): Promise<boolean> {
    probe ??= probeStore(store).then((isAvailable) => {
      setTimeout(() => {
        probe = undefined;
      }, freshMs).unref();
      return isAvailable;
    });
    return probe;
  }

  return {
    async alive() {
      if (phase() === 'closing') return unhealthy('closing');
      return (await engine.isReady()) ? healthy() : unhealthy('starting');
    },
    async ready() {
      if (phase() !== 'serving') return unhealthy(phase());
      const [isEngineReady, isStored] = await Promise.all([engine.isReady(), isStoreAvailable()]);
      // the shutdown may have begun meanwhile
      if (phase() !== 'serving') return unhealthy(phase());
      if (!isStored) return unhealthy('storage_unavailable');
      return isEngineReady ? healthy(walls) : unhealthy('starting');
    },
  };
}

async function probeStore(store: HealthOptions['store']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  });
  const lookup = store.findKey(PROBE_HASH).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([lookup, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const healthy = (walls?: readonly string[]) => jsonAnswer(200, { status: 'ok', ...(walls && { walls }) });
const unhealthy = (status: string) => jsonAnswer(503, { status }, [['Retry-After', String(RETRY_AFTER_SECONDS)]]);
