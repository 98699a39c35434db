// Draws thumbnails of templates for lists, one after the other: first those on screen, and never those far away. Keeps the
// drawn ones within a memory limit.
import { createByteCache } from '../../lib/cache/lru.js';
import type { ThumbnailEngine } from './engine.js';
import type { Source, Thumbnail, ThumbnailJob } from './messages.js';

const CACHE_BYTES = 32 * 2 ** 20;
/** Distance from the screen within which thumbnails are drawn ahead. */
const NEAR = '600px 0px';

export interface ThumbnailRequest extends ThumbnailJob {
  /** A version of a template, which never changes, or a payload. */
  readonly source: { readonly id: string; readonly version: number } | Source;
  /** A unique name for the picture. Without one, the source serves as the name, so it should be small. */
  readonly name?: string | undefined;
}

export interface ThumbnailListener {
  drawn(thumbnail: Thumbnail): void;
  failed(error: Error): void;
}

export interface Thumbnails {
  /** Draws the thumbnail once the element comes near the screen. Returns a function that cancels the request. */
  request(element: Element, request: ThumbnailRequest, listener: ThumbnailListener): () => void;
  close(): void;
}

interface Entry extends ThumbnailListener {
  readonly request: ThumbnailRequest;
  /** Share of the element that is on screen; undefined while it is far away. */
  visible: number | undefined;
}

export function createThumbnails(engine: ThumbnailEngine): Thumbnails {
  const cache = createByteCache<Thumbnail>(CACHE_BYTES, ({ data }) => data.byteLength);
  /** Waiting requests in the order of their arrival. */
  const waiting = new Map<Element, Entry>();
  let isDrawing = false;
  let isClosed = false;

  const near = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const entry = waiting.get(target);
        if (entry) entry.visible = isIntersecting ? (entry.visible ?? 0) : undefined;
      }
      void drawNext();
    },
    { rootMargin: NEAR },
  );
  const onScreen = new IntersectionObserver((changes) => {
    for (const { target, intersectionRatio } of changes) {
      const entry = waiting.get(target);
      if (entry && (entry.visible !== undefined || intersectionRatio > 0)) entry.visible = intersectionRatio;
    }
    void drawNext();
  });

  function forget(element: Element): void {
    waiting.delete(element);
    near.unobserve(element);
    onScreen.unobserve(element);
  }

  async function drawNext(): Promise<void> {
    if (isDrawing || isClosed) return;
    const all = [...waiting];
    const next = all.find(([, { visible }]) => visible !== undefined && visible > 0) ?? all.find(isNear);
    if (!next) return;
    isDrawing = true;
    const [element, entry] = next;
    forget(element);
    try {
      const thumbnail = cache.get(keyOf(entry.request)) ?? (await engine.draw(jobOf(entry.request)));
      cache.set(keyOf(entry.request), thumbnail);
      entry.drawn(thumbnail);
    } catch (error) {
      entry.failed(error as Error);
    }
    isDrawing = false;
    void drawNext();
  }

  return {
    request(element, request, listener) {
      const cached = cache.get(keyOf(request));
      if (cached) {
        listener.drawn(cached);
        return () => {};
      }
      let isStopped = false;
      const entry: Entry = {
        request,
        visible: undefined,
        drawn: (thumbnail) => {
          if (!isStopped) listener.drawn(thumbnail);
        },
        failed: (error) => {
          if (!isStopped) listener.failed(error);
        },
      };
      waiting.set(element, entry);
      near.observe(element);
      onScreen.observe(element);
      return () => {
        isStopped = true;
        if (waiting.get(element) === entry) forget(element);
      };
    },
    close() {
      isClosed = true;
      near.disconnect();
      onScreen.disconnect();
      waiting.clear();
      engine.close();
    },
  };
}

const isNear = ([, { visible }]: readonly [Element, Entry]) => visible !== undefined;

const jobOf = ({ source, maxWidth, maxHeight }: ThumbnailRequest): ThumbnailJob => ({ source, maxWidth, maxHeight });

const keyOf = ({ source, name, maxWidth, maxHeight }: ThumbnailRequest) =>
  JSON.stringify([name ?? source, maxWidth, maxHeight]);
