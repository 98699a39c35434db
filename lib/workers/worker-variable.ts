/** The variable that makes the program a worker process (bin/program.ts). */
export const WORKER_VARIABLE = 'PLATEN_WORKER';
