#!/usr/bin/env node
import { main } from '../lib/cli/main.js';

const code = await main(process.argv.slice(2), {
  environment: process.env,
  directory: process.cwd(),
  get input() {
    return process.stdin;
  },
  get output() {
    return process.stdout;
  },
  get errors() {
    return process.stderr;
  },
  interrupt: () => {
    const ending = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
    return ending.signal;
  },
});
// All output has been handed on by now; an idle connection or a warm engine must not hold the process.
process.exit(code);
