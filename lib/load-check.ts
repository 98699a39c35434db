// Whether the library refuses to load without the package's files. The command turns this off: `platen doctor` has to load
// in order to tell what is missing.
let isOn = true;

export const checksFiles = (): boolean => isOn;

/** Lets the library load without its files; what needs one of them then fails when it is used. */
export function loadWithoutFiles(): void {
  isOn = false;
}
