// Runs in Node, Deno and Bun: renders the cases of a file and prints one result per line.
//   RUNTIME test/parity/runtimes/process.mjs ENTRY CASES [--pictures]
import { readFileSync, writeSync } from 'node:fs';
import { argv, exit } from 'node:process';
import { pathToFileURL } from 'node:url';
import { renderCase } from './render-case.mjs';

const [, , entry, file, flag] = argv;
const { createRenderer } = await import(pathToFileURL(entry).href);
const renderer = createRenderer();

/** A pipe may take a part of the bytes, or none while its reader is busy. */
function print(line) {
  let bytes = new TextEncoder().encode(`${line}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
  print(JSON.stringify(await renderCase(renderer, JSON.parse(line), flag === '--pictures')));
}
exit(0);
