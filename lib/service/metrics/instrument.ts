// Wraps the service and the store so that their calls are counted and timed.
import { type AnswerStream, isStream, type Service, type ServiceStore } from '../request.js';
import type { Metrics } from './prometheus.js';

/** The same service; reports each answer to `metrics`. */
export function instrumentService(service: Service, metrics: Pick<Metrics, 'request' | 'streamed'>): Service {
  return async (request) => {
    const startedAt = performance.now();
    const outcome = await service(request);
    metrics.request(request, outcome, performance.now() - startedAt);
    const { answer } = outcome;
    return isStream(answer.body) ? { ...outcome, answer: { ...answer, body: counted(answer.body, metrics) } } : outcome;
  };
}

/** The same stream; reports its chunks to `metrics`. */
async function* counted(body: AnswerStream, metrics: Pick<Metrics, 'streamed'>): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of body) {
    metrics.streamed(chunk.length);
    yield chunk;
  }
}

/** The same store; reports each method's duration and failures, and the credits charged, to `metrics`. */
export function instrumentStore(store: ServiceStore, metrics: Pick<Metrics, 'store' | 'charged'>): ServiceStore {
  const timed = (name: string, method: (...values: unknown[]) => unknown) => {
    return (...values: unknown[]) => {
      const startedAt = performance.now();
      const result = method.apply(store, values);
      if (!(result instanceof Promise)) return result;
      const report = (hasFailed: boolean) => metrics.store(name, performance.now() - startedAt, hasFailed);
      result.then(
        () => report(false),
        () => report(true),
      );
      return result;
    };
  };
  const methods = Object.entries(store).map(([name, method]) => [name, timed(name, method)]);
  const instrumented: ServiceStore = Object.fromEntries(methods);
  return {
    ...instrumented,
    async settle(hold, settlement) {
      const settled = await instrumented.settle(hold, settlement);
      metrics.charged(hold.cost);
      return settled;
    },
  };
}
