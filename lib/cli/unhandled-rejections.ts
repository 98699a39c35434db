// What nobody waited for and failed all the same → a line in the log. A request has its own try; what slips past it has
// broken nothing that others stand on, and the renders that run are worth more than a clean start. What is thrown outside
// of every promise still ends the process: the store can bear that at any moment, and a supervisor starts it again.

interface Emitter {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

/** Logs the rejections that `process` reports, a JSON line each, and lets it live. */
export function logUnhandledRejections(process: Emitter, log: { write(line: string): void }): void {
  process.on('unhandledRejection', (reason) => {
    const { message, stack } = reason instanceof Error ? reason : new Error(String(reason));
    const line = { level: 50, time: new Date().toISOString(), err: { message, stack }, msg: 'nobody waited for this' };
    log.write(`${JSON.stringify(line)}\n`);
  });
}
