// Answers of the admin API as state of a component: loading, failed, or data.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api } from './api.js';

export interface Query<Data> {
  /** The last good answer for this path; it stays during a reload. */
  readonly data: Data | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** Asks again; the old data stays visible until the answer comes. */
  readonly reload: () => Promise<void>;
  /** Replaces the data with what an operation has already answered. */
  readonly setData: (change: (data: Data) => Data) => void;
}

interface State<Data> {
  readonly path: string | undefined;
  readonly data?: Data | undefined;
  readonly error?: ApiError | undefined;
  readonly isLoading: boolean;
}

const resourceOf = (path: string | undefined) => path?.split('?')[0];

/**
 * Asks for a path: `const keys = useQuery<{ items: KeyAnswer[] }>(inWorkspace('keys'))`. Asks again when the path changes; if
 * only its query changes, the old data stays until then. `undefined` asks for nothing.
 */
export function useQuery<Data>(path: string | undefined): Query<Data> {
  const [state, setState] = useState<State<Data>>({ path, isLoading: path !== undefined });
  const running = useRef<AbortController | null>(null);

  const load = useCallback(async () => {
    running.current?.abort();
    if (path === undefined) return setState({ path, isLoading: false });
    const controller = new AbortController();
    running.current = controller;
    setState((before) => {
      const isSame = resourceOf(before.path) === resourceOf(path);
      return { path, data: isSame ? before.data : undefined, isLoading: true };
    });
    try {
      const data = await api.get<Data>(path, { signal: controller.signal });
      if (!controller.signal.aborted) setState({ path, data, isLoading: false });
    } catch (error) {
      if (controller.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setState((before) => ({ path, data: before.data, error, isLoading: false }));
    }
  }, [path]);

  useEffect(() => {
    load();
    return () => running.current?.abort();
  }, [load]);

  const setData = useCallback((change: (data: Data) => Data) => {
    setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) }));
  }, []);

  // the state belongs to the previous path until the effect has run
  const isCurrent = state.path === path;
  const keptData = resourceOf(state.path) === resourceOf(path) ? state.data : undefined;
  return {
    data: keptData,
    error: isCurrent ? state.error : undefined,
    isLoading: isCurrent ? state.isLoading : path !== undefined,
    reload: load,
    setData,
  };
}

export interface PagedQuery<Item> {
  /** The items so far; undefined until the first page arrives. */
  readonly items: readonly Item[] | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** Whether there is a further page; `loadMore` adds it. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Replaces the items with what an operation has already answered. */
  change(to: (items: readonly Item[]) => readonly Item[]): void;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Asks for a list with cursors: `usePages<RenderLogEntry>(withQuery(inWorkspace('renders'), { status }))`. */
export function usePages<Item>(path: string | undefined): PagedQuery<Item> {
  const { data, error, isLoading, reload, setData } = useQuery<Page<Item>>(path);
  /** State of loading the page after `cursor`. */
  const [more, setMore] = useState<{
    readonly cursor: string;
    readonly isLoading: boolean;
    readonly error?: ApiError;
  }>();

  const loadMore = useCallback(async () => {
    if (!path || !data?.nextCursor) return;
    const cursor = data.nextCursor;
    setMore({ cursor, isLoading: true });
    try {
      const separator = path.includes('?') ? '&' : '?';
      const next = await api.get<Page<Item>>(`${path}${separator}cursor=${encodeURIComponent(cursor)}`);
      // the list may have been loaded again meanwhile
      setData((before) =>
        before.nextCursor === cursor ? { ...next, items: [...before.items, ...next.items] } : before,
      );
      setMore((before) => (before?.cursor === cursor ? undefined : before));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setMore((before) => (before?.cursor === cursor ? { cursor, isLoading: false, error: failure } : before));
    }
  }, [path, data, setData]);

  const change = useCallback(
    (to: (items: readonly Item[]) => readonly Item[]) => setData((before) => ({ ...before, items: to(before.items) })),
    [setData],
  );

  // the list may have been loaded again since, or be another list
  const own = more?.cursor === data?.nextCursor ? more : undefined;
  return {
    items: data?.items,
    error: error ?? own?.error,
    isLoading,
    hasMore: data?.nextCursor != null,
    isLoadingMore: own?.isLoading ?? false,
    loadMore,
    reload,
    change,
  };
}

/** Does what usePages does, and loads all pages one after the other, for lists that a page chooses from or searches. */
export function useAllPages<Item>(path: string | undefined): PagedQuery<Item> {
  const pages = usePages<Item>(path);
  const { hasMore, isLoading, isLoadingMore, error, loadMore } = pages;
  useEffect(() => {
    if (hasMore && !isLoading && !isLoadingMore && !error) loadMore();
  }, [hasMore, isLoading, isLoadingMore, error, loadMore]);
  return pages;
}
