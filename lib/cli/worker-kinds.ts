// What else the program may be: a render process of one of its own commands, which starts it once more. As one script it
// is ready in half of the time that the modules take, and opens one file where they open a hundred.

/** By the first word that such a process gets. */
const ROLES = {
  'serve-renders': () => import('../workers/child.js'),
  'batch-renders': () => import('./batch/worker.js'),
} as const;

export type WorkerKind = keyof typeof ROLES;

/** Plays the role that `word` names, if there is one: the process then lives until its parent leaves. */
export function startWorker(word: string | undefined): boolean {
  const begin = new Map<string | undefined, () => Promise<unknown>>(Object.entries(ROLES)).get(word);
  // a role that can't be loaded ends the process, with the reason on its standard error
  void begin?.();
  return begin !== undefined;
}
