// Layers that lib/data makes groups of, so that no scene has them. Their schemas are loaded with it: other payloads don't need
// them.
import type * as z from 'zod';

export const EXPANDED_TYPES = ['chart', 'table'] as const;
export type ExpandedType = (typeof EXPANDED_TYPES)[number];

type Json = Readonly<Record<string, unknown>>;

export interface ExpandedKind {
  readonly schema: z.ZodType;
  /** The raw layer with a place like that of other layers. */
  readonly placed?: (raw: Json) => Json;
}
export type ExpandedKinds = Readonly<Record<ExpandedType, ExpandedKind>>;

let kinds: ExpandedKinds | undefined;

export function setExpandedKinds(loaded: ExpandedKinds): void {
  kinds = loaded;
}

/** The type of a raw layer that becomes a group; undefined for others. */
export function expandedType({ type }: Json): ExpandedType | undefined {
  return EXPANDED_TYPES.find((known) => known === type);
}

/** What is known of the type; undefined before lib/data is loaded. */
export function expandedKind(type: ExpandedType): ExpandedKind | undefined {
  return kinds?.[type];
}
