// The program as a process: its words, its streams, its end.
import { main } from '../lib/cli/main.js';

main(process.argv.slice(2), {
  environment: process.env,
  directory: process.cwd(),
  // made when they are asked for: a picture in a file needs none of them
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
}).then((code) => {
  // All output has been handed on by now; an idle connection or a warm engine must not hold the process.
  process.exit(code);
});
