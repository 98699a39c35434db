// Two questions of whoever runs the server: is it alive (else restart it), and should it get requests (else send them to
// another node). Not ready is not ill: a node that goes down or has lost its database must not be killed for it.
import type { RequestStore } from '../store/types.js';
import { type Answer, jsonAnswer } from './http/answer.js';
import type { Engine } from './render/engine.js';

export interface HealthOptions {
  readonly store: Pick<RequestStore, 'findKey'>;
  readonly engine: Pick<Engine, 'isReady'>;
  /** Whether the server still takes requests, but wants no new ones: it goes down soon. */
  readonly draining?: (() => boolean) | undefined;
  /** Whether renders are refused. */
  readonly closing?: (() => boolean) | undefined;
  /** For how long a look at the store holds, in milliseconds. Anybody may ask, and the database is not for everybody. */
  readonly freshMs?: number;
}

export interface Health {
  /** 200 while a render process answers and the server does not refuse renders. */
  alive(): Promise<Answer>;
  /** 200 when a render that arrives now would find render processes and the store. */
  ready(): Promise<Answer>;
}

/** The hash of no key: to look for it shows that the store answers, and finds nothing. */
const PROBE_HASH = '0'.repeat(64);
const FRESH_MS = 1000;
/** How long the store may take for that, in milliseconds. */
const PATIENCE_MS = 2000;
/** Seconds. */
const RETRY_AFTER = 1;

export function createHealth({ store, engine, draining, closing, freshMs = FRESH_MS }: HealthOptions): Health {
  let look: Promise<boolean> | undefined;

  function isStoreThere(): Promise<boolean> {
    look ??= lookAt(store).then((found) => {
      setTimeout(() => {
        look = undefined;
      }, freshMs).unref();
      return found;
    });
    return look;
  }

  return {
    async alive() {
      if (closing?.()) return unhealthy('closing');
      return (await engine.isReady()) ? healthy() : unhealthy('starting');
    },
    async ready() {
      if (closing?.()) return unhealthy('closing');
      if (draining?.()) return unhealthy('draining');
      const [isDrawing, isStored] = await Promise.all([engine.isReady(), isStoreThere()]);
      // it may have been told to stop meanwhile
      if (draining?.()) return unhealthy('draining');
      if (!isStored) return unhealthy('storage_unavailable');
      return isDrawing ? healthy() : unhealthy('starting');
    },
  };
}

async function lookAt(store: HealthOptions['store']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const found = store.findKey(PROBE_HASH).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
  }
}

const healthy = () => jsonAnswer(200, { status: 'ok' });
const unhealthy = (status: string) => jsonAnswer(503, { status }, [['Retry-After', String(RETRY_AFTER)]]);
