// Loads code that the first view doesn't need when the canvas or the layers are first used, so that it is there in time, even
// without a network.
import { useEffect } from 'preact/hooks';

/** Parts of the page whose first use suggests that more will follow. */
const USED = '.canvas, .editor-left';
const FIRST_USES = ['pointerover', 'pointerdown', 'focusin', 'keydown'] as const;

export function usePrefetch(
  body: { readonly current: HTMLElement | null },
  parts: readonly (() => Promise<unknown>)[],
): void {
  useEffect(() => {
    const stop = new AbortController();
    const onUse = ({ target }: Event) => {
      if (!(target as Element).closest(USED)) return;
      stop.abort();
      void loadOneByOne(parts);
    };
    for (const type of FIRST_USES) body.current!.addEventListener(type, onUse, { signal: stop.signal });
    return () => stop.abort();
  }, []);
}

async function loadOneByOne(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of parts) await load().catch(() => {});
}
