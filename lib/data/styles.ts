// Text styles: tokens that are objects, whose fields texts and spans take where they have none of their own.

import { nearestNames } from '../contract/messages/closest-match.js';
import { joinPath } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import type { Resolver } from './resolver.js';
import type { Tokens } from './tokens.js';
import { asValue, describe, isRecord } from './value.js';

type Json = Readonly<Record<string, unknown>>;

/** The layer without `style`, but with the fields of the styles that it and its spans name. */
export function styled(layer: Json, path: string, tokens: Tokens, resolver: Resolver): Json {
  if (layer.type !== 'text') return layer;
  const { spans } = layer;
  const own = withStyle(layer, path, tokens, resolver);
  if (!Array.isArray(spans) || !spans.some((span) => isObject(span) && span.style !== undefined)) return own;
  const list = joinPath(path, 'spans');
  return {
    ...own,
    spans: spans.map((span: unknown, i) =>
      isObject(span) ? withStyle(span, joinPath(list, i), tokens, resolver) : span,
    ),
  };
}

export function withStyle(owner: Json, path: string, tokens: Tokens, resolver: Resolver): Json {
  const { style, ...own } = owner;
  if (style === undefined || style === null) return owner;
  const at = joinPath(path, 'style');
  const found = typeof style === 'string' ? tokens.style(style) : undefined;
  if (found === undefined || !isRecord(found)) {
    const nearest = nearestNames(String(style), tokens.styleNames());
    const hint = nearest.length === 0 ? 'there are none' : `the nearest are ${nearest.join(', ')}`;
    resolver.fault(
      at,
      `received ${describe(asValue(style))}, expected the name of a token that is a text style; ${hint}`,
    );
    return own;
  }
  return { ...found, ...own };
}
