#!/usr/bin/env node
// Starts the program: as one script with V8's own code for it where the build left them here (scripts/bundle.mjs), else
// module by module: a text card, from start to file, then takes 1.65 times as long.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** What the script is: a function of what loads from outside of it, and of where this file is. */
type Program = (load: NodeJS.Require, home: string) => void;

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

const home = import.meta.url;
const file = fileURLToPath(new URL('program.cjs', home));
const source = read(file);
if (source) {
  // Named by what V8's code is good for. V8 looks as well, and compiles what it does not know.
  const cachedData = read(file.replace(/cjs$/, `${process.version}-${process.arch}.cache`));
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const program = script.runInThisContext() as Program;
  program(createRequire(home), home);
} else {
  await import('./program.js');
}
