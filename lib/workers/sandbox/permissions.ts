// Node's permission model: a process that is started with it opens the files that it is allowed to, and starts no programs.

/** The flag by which this Node turns the model on; undefined for runtimes that have none. */
function permissionFlag(): string | undefined {
  if (process.versions.bun || process.versions.deno) return undefined;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= 24 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)) return '--permission';
  return major >= 20 ? '--experimental-permission' : undefined;
}

export const HAS_PERMISSIONS = permissionFlag() !== undefined;

/** Node's options for a process that may read `paths`, with all that is in them, and otherwise nothing. */
export function permissionOptions(paths: readonly string[], hasThreads: boolean): string[] {
  const flag = permissionFlag();
  if (flag === undefined) return [];
  const [major, minor] = process.versions.node.split('.').map(Number);
  // before 20.7 one option had a list, since then each path has an option
  const hasLists = major === 20 && minor < 7;
  const reads = hasLists ? [paths.join(',')] : paths;
  return [
    flag,
    ...reads.map((path) => `--allow-fs-read=${path}`),
    ...(hasThreads ? ['--allow-worker'] : []),
    // that the model is experimental
    ...(flag === '--permission' ? [] : ['--no-warnings']),
  ];
}
