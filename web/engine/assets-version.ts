// Counts the changes of the workspace's assets that this page made, so that the engine asks for its fonts again.
let version = 0;

export const assetsVersion = (): number => version;

/** Counts an upload or deletion of a picture or font. */
export function assetsChanged(): void {
  version++;
}
