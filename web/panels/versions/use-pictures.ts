// The pictures of two records, drawn by the engine with the same variables and, where both have it, in the same size.
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../../app/announce.js';
import { sizeNames } from '../../document/sizes.js';
import type { Engine } from '../../engine/engine.js';
import type { Picture, Source } from '../../engine/messages.js';

/** A picture, or why there is none. */
export type Drawn = Picture | Error;

export interface ComparedRecords {
  readonly engine: Engine;
  readonly left: unknown;
  readonly right: unknown;
  readonly variables: Source['variables'];
  readonly size: string | undefined;
}

/** undefined while they are drawn. */
export function usePictures({
  engine,
  left,
  right,
  variables,
  size,
}: ComparedRecords): readonly [Drawn, Drawn] | undefined {
  const [drawn, setDrawn] = useState<readonly [Drawn, Drawn]>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const draw = (payload: unknown): Promise<Drawn> => {
      const source = { payload, variables, size: sizeNames(payload).includes(size ?? '') ? size : undefined };
      // those with a digest stand in a queue of their own: they don't take the place of the live picture
      return engine.draw(source, { digest: true, signal }).catch((error: Error) => error);
    };
    const drawBoth = async () => {
      // of each kind the engine keeps the latest alone
      const both = [await draw(left), await draw(right)] as const;
      if (signal.aborted) return;
      setDrawn(both);
      announce('Both pictures are drawn');
    };
    setDrawn(undefined);
    void drawBoth();
    return () => controller.abort();
  }, [engine, left, right, variables, size]);
  return drawn;
}
