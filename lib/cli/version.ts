// The version of the program.
import { createRequire } from 'node:module';

/** The version in package.json. */
export function version(): string {
  // The package resolves itself by name, which works from the sources as well as from the build.
  const { version } = createRequire(import.meta.url)('platen/package.json') as { version: string };
  return version;
}
