// Wraps the service and the store so that their calls are counted and timed.
import type { RequestStore } from '../../store/types.js';
import type { Service } from '../request.js';
import type { Metrics } from './prometheus.js';

/** The same service; reports each answer to `metrics`. */
export function instrumentService(service: Service, metrics: Pick<Metrics, 'request'>): Service {
  return async (request) => {
    const startedAt = performance.now();
    const outcome = await service(request);
    metrics.request(request, outcome, performance.now() - startedAt);
    return outcome;
  };
}

/** The same store; reports each method's duration and failures, and the credits charged, to `metrics`. */
export function instrumentStore(store: RequestStore, metrics: Pick<Metrics, 'store' | 'charged'>): RequestStore {
  async function timed<Result>(method: keyof RequestStore, work: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    let hasFailed = true;
    try {
      const result = await work;
      hasFailed = false;
      return result;
    } finally {
      metrics.store(method, performance.now() - startedAt, hasFailed);
    }
  }
  return {
    findKey: (hash) => timed('findKey', store.findKey(hash)),
    countRequest: (keyId, limit) => timed('countRequest', store.countRequest(keyId, limit)),
    findTemplate: (workspaceId, id) => timed('findTemplate', store.findTemplate(workspaceId, id)),
    hold: (workspaceId, cost) => timed('hold', store.hold(workspaceId, cost)),
    async settle(hold) {
      const settled = await timed('settle', store.settle(hold));
      metrics.charged(hold.cost);
      return settled;
    },
    release: (hold) => timed('release', store.release(hold)),
    appendRender: (entry) => store.appendRender(entry),
  };
}
