// Loads what the first look does not need when the canvas or the layers are first used: it is there before it is shown, and
// without a network too.
import { useEffect } from 'preact/hooks';

/** Of what a first use tells that more is to come. */
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
