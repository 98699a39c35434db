// The program as a process: its words, its streams, its end; or one of its own render processes.
import { main } from '../lib/cli/main.js';
import { SIGNAL_EXIT_CODES, TERMINATION_SIGNALS } from '../lib/cli/signals.js';
import { startWorker } from '../lib/cli/worker-kinds.js';

const [, program, ...words] = process.argv;

/** Process 1 (a container's first) is not ended by a signal that it does not listen to. */
function endOnSignals(): void {
  for (const name of TERMINATION_SIGNALS) {
    process.on(name, () => {
      // who else listens decides
      if (process.listenerCount(name) === 1) process.exit(SIGNAL_EXIT_CODES[name]);
    });
  }
}

function runCli(): void {
  if (process.pid === 1) endOnSignals();
  main(words, {
    environment: process.env,
    program,
    // looked up when they are asked for: a picture in a file needs no streams, a server no folder, which may be gone
    get directory() {
      return process.cwd();
    },
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
      for (const name of TERMINATION_SIGNALS) process.once(name, () => ending.abort(name));
      return ending.signal;
    },
  }).then((code) => {
    // All output has been handed on by now; an idle connection or a warm engine must not hold the process.
    process.exit(code);
  });
}

// only who has a parent to talk to has a role
if (!process.send || !startWorker(words[0])) runCli();
