// The common part of the WebAssembly codecs: their images, and instances that are replaced after a trap.

/** Input and output of the WASM codecs: straight (not premultiplied) RGBA, row by row from the top. */
export interface StraightImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/**
 * A codec that is instantiated on first use and then reused. `run` calls it. An error that `isExpectedError` does not
 * accept (a trap, an exit, failed memory growth) discards the instance, so the next image starts with fresh memory.
 */
export function recreateOnTrap<T>(load: () => Promise<T>, isExpectedError: (cause: unknown) => boolean) {
  let ready: Promise<T> | undefined;
  return async <R>(run: (codec: T) => Promise<R>): Promise<R> => {
    ready ??= load();
    const instance = ready;
    try {
      return await run(await instance);
    } catch (cause) {
      if (ready === instance && !isExpectedError(cause)) ready = undefined;
      throw cause;
    }
  };
}
