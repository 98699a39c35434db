// The pages of lists.

/** A page of a list, newest first. */
export interface StorePage<Item> {
  readonly items: readonly Item[];
  /** Opaque; null after the last page. It stays valid while items are added and deleted. */
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly limit: number;
  /** Cursor from an earlier page. A malformed one rejects with a StoreError of code `invalid_cursor`. */
  readonly cursor?: string | undefined;
}
