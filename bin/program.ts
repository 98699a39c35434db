// The program's process: runs the command line.
import { main } from '../lib/cli/main.js';
import { SIGNAL_EXIT_CODES, TERMINATION_SIGNALS } from '../lib/cli/signals.js';

const [, program, ...argv] = process.argv;

/** A signal without a listener does not end process 1 (the first process of a container), so we add listeners. */
function exitOnSignals(): void {
  for (const name of TERMINATION_SIGNALS) {
    process.on(name, () => {
      // A command's own listener, if there is one, decides.
      if (process.listenerCount(name) === 1) process.exit(SIGNAL_EXIT_CODES[name]);
    });
  }
}

function runCli(): void {
  if (process.pid === 1) exitOnSignals();
  main(argv, {
    environment: process.env,
    program,
    // Getters, because access is slow or may fail: rendering to a file needs no streams, and a server does not need the
    // working directory, which may have been deleted.
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
      const controller = new AbortController();
      for (const name of TERMINATION_SIGNALS) process.once(name, () => controller.abort(name));
      return controller.signal;
    },
  }).then((code) => {
    // All output is flushed by now. Exit explicitly: an idle connection or timer must not keep the process alive.
    process.exit(code);
  });
}

runCli();
