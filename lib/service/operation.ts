// One operation of the API behind the checks that all operations share (checks.ts): key → scope → rate limit → body. The
// operation itself checks its fields, then the objects that it works on.
import type { Permit } from './admission/index.js';
import { admitBody, admitCaller, type CallerRules, readBody, readJson, tenantOf } from './checks.js';
import type { Answer, Caller, RequestContext, ServiceOptions } from './request.js';
import type { Handler, PathParameters } from './router.js';

export interface ServiceOperation extends CallerRules {
  /** Largest body in bytes; an operation without it takes no body. */
  readonly maxBodyBytes?: number;
  /** Answers a request that passed the shared checks. */
  readonly run: (call: OperationCall) => Answer | Promise<Answer>;
}

/** An operation that asks nothing of the key: the dashboard answers operators with it. */
export interface WorkspaceOperation extends Omit<ServiceOperation, 'run'> {
  readonly run: (call: WorkspaceCall) => Answer | Promise<Answer>;
}

/** A request that passed the shared checks. */
export interface OperationCall extends WorkspaceCall {
  readonly caller: Caller;
}

export interface WorkspaceCall {
  readonly context: RequestContext;
  readonly caller: Pick<Caller, 'workspace'>;
  readonly parameters: PathParameters;
  readonly query: URLSearchParams;
  /** Admits a large body; the operation may use it for a render. */
  readonly permit: Permit | undefined;
  /** Reads the body. */
  body(): Promise<Uint8Array>;
  /** Reads the body as JSON. */
  json(): Promise<unknown>;
}

/** The operation as a handler of requests. */
export function createHandler(operation: ServiceOperation, options: ServiceOptions): Handler {
  const { maxBodyBytes, run } = operation;
  return async (context, parameters) => {
    const caller = await admitCaller(context, operation, options);
    const tenant = tenantOf(caller.workspace, options.settings);
    const permit = maxBodyBytes === undefined ? undefined : admitBody(context, maxBodyBytes, tenant, options);
    try {
      const limit = maxBodyBytes ?? 0;
      const body = () => readBody(context, limit);
      const json = () => readJson(context, limit);
      const query = new URLSearchParams(context.request.query);
      return await run({ context, caller, parameters, query, permit, body, json });
    } finally {
      permit?.release();
    }
  };
}
