// Draws the pictures of two records with the same variables and, if both have it, in the same size.
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../../app/announce.js';
import { sizeNames } from '../../document/sizes.js';
import type { Engine } from '../../engine/engine.js';
import type { Picture, Source } from '../../engine/messages.js';

/** A picture, or the error that prevents it. */
export type Drawn = Picture | Error;

export interface ComparedRecords {
  readonly engine: Engine;
  readonly left: unknown;
  readonly right: unknown;
  readonly variables: Source['variables'];
  readonly size: string | undefined;
}

/** Returns the pictures; undefined while they are drawn. */
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
      // drawings with a digest have a separate queue: they don't replace the live picture
      return engine.draw(source, { digest: true, signal }).catch((error: Error) => error);
    };
    const drawBoth = async () => {
      // the engine keeps only the latest job of each kind
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
