// Turns tracing on if an OpenTelemetry SDK is there. Without one, the package is not even loaded.
import type { Tracing } from './opentelemetry.js';

/**
 * Every release 1.x of @opentelemetry/api, whichever copy an SDK uses, registers here what the SDK brings. The slot is the
 * package's own protocol between its copies.
 */
const API_SLOT = Symbol.for('opentelemetry.js.api.1');

/**
 * The tracing of the SDK that was registered before, with `node --import ./otel.mjs`; undefined without an SDK. Looked up
 * once, at the start of the server.
 */
export async function findTracing(): Promise<Tracing | undefined> {
  const { [API_SLOT]: api } = globalThis as { [API_SLOT]?: { readonly trace?: unknown } };
  if (api?.trace === undefined) return undefined;
  const { createTracing } = await import('./opentelemetry.js');
  return createTracing();
}
