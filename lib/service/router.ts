// Finds the handler of a request by its path and method.
import { ServiceError } from '../errors.js';
import { emptyAnswer, PREFLIGHT_HEADERS } from './http/answer.js';
import type { Answer, RequestContext } from './request.js';

/** The values of a pattern's parameters, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

export type Handler = (context: RequestContext, parameters: PathParameters) => Answer | Promise<Answer>;

/**
 * Handlers by method, by pattern. What is in braces is a parameter: `/v1/templates/{id}`; a segment may have several, with text
 * between them: `{id}.{format}`. HEAD comes with GET.
 */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** A literal, or parameters by their names in the order of the groups of `form`. */
type Segment = { readonly literal: string } | { readonly form: RegExp; readonly names: readonly string[] };

interface Route {
  readonly pattern: string;
  readonly segments: readonly Segment[];
  readonly handlers: ReadonlyMap<string, Handler>;
}

/** A function that answers a request with the handler of its path and method, or throws the error that says there is none. */
export function createRouter(
  table: RouteTable,
  /** Whether other origins may ask (`OPTIONS`) what they may send. */
  { preflight = true } = {},
): (context: RequestContext) => Answer | Promise<Answer> {
  const routes = Object.entries(table).map(([pattern, handlers]) => routeOf(pattern, handlers));
  return (context) => {
    const { method, path } = context.request;
    const { route, parameters } = findRoute(routes, path) ?? {};
    if (!route) throw new ServiceError('not_found', 'there is nothing at this path');
    context.route = route.pattern;
    if (method === 'OPTIONS' && preflight) return emptyAnswer(204, PREFLIGHT_HEADERS);
    const handler = route.handlers.get(method);
    if (handler) return handler(context, parameters ?? {});
    const allowed = [...route.handlers.keys(), ...(preflight ? ['OPTIONS'] : [])].join(', ');
    context.headers.set('Allow', allowed);
    throw new ServiceError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}`);
  };
}

function routeOf(pattern: string, handlers: RouteTable[string]): Route {
  const withHead = Object.entries(handlers).flatMap(([method, handler]): [string, Handler][] =>
    method === 'GET'
      ? [
          ['GET', handler],
          ['HEAD', handler],
        ]
      : [[method, handler]],
  );
  return { pattern, segments: pattern.split('/').map(segmentOf), handlers: new Map(withHead) };
}

function segmentOf(text: string): Segment {
  const names = Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  if (names.length === 0) return { literal: text };
  const between = text.split(/\{\w+\}/).map((part) => part.replace(/[^\w]/g, '\\$&'));
  return { form: new RegExp(`^${between.join('(.+)')}$`, 's'), names };
}

function findRoute(routes: readonly Route[], path: string) {
  const segments = path.split('/');
  for (const route of routes) {
    const parameters = matchSegments(route.segments, segments);
    if (parameters) return { route, parameters };
  }
  return undefined;
}

/** Literal segments match as they were sent; a parameter is decoded once, and matches nothing if it is empty or malformed. */
function matchSegments(pattern: readonly Segment[], segments: readonly string[]): PathParameters | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, expected] of pattern.entries()) {
    if ('literal' in expected) {
      if (segments[i] !== expected.literal) return undefined;
      continue;
    }
    const values = expected.form.exec(segments[i])?.slice(1).map(decodeSegment);
    if (!values || values.includes(undefined)) return undefined;
    for (const [at, name] of expected.names.entries()) parameters[name] = values[at]!;
  }
  return parameters;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
