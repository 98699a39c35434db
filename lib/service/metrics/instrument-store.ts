// A store whose verbs are timed, counted where they fail, and whose charges are added up: the same store to its callers.
import type { RequestStore } from '../../store/types.js';
import type { Metrics } from './metrics.js';

/** `store`, its verbs told to `metrics`. */
export function instrumentStore(store: RequestStore, metrics: Pick<Metrics, 'store' | 'charged'>): RequestStore {
  async function timed<Result>(verb: keyof RequestStore, work: Promise<Result>): Promise<Result> {
    const began = performance.now();
    let failed = true;
    try {
      const result = await work;
      failed = false;
      return result;
    } finally {
      metrics.store(verb, performance.now() - began, failed);
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
