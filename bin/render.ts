#!/usr/bin/env node
// Starts the program. Prefers the bundled script with V8's code cache, if the build made one (scripts/bundle.mjs); loading
// the modules one by one makes rendering a text card to a file take 1.65 times as long.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** The value of the bundled script. `load` loads modules that are not bundled; `home` is this file's URL. */
type Program = (load: NodeJS.Require, home: string) => void;

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

const home = import.meta.url;
const file = fileURLToPath(new URL('program.cjs', home));
const source = readIfExists(file);
if (source) {
  // The file name has the Node version and architecture. V8 also checks the cache itself, and compiles what it rejects.
  const cachedData = readIfExists(file.replace(/cjs$/, `${process.version}-${process.arch}.cache`));
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const program = script.runInThisContext() as Program;
  program(createRequire(home), home);
} else {
  await import('./program.js');
}
