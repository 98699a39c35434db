// Node's permission model: a process that is started with it opens the files that it is allowed to, and starts no programs.

const isNode = !process.versions.bun && !process.versions.deno;

/**
 * The flag by which this Node turns the model on; undefined for runtimes that have none. With earlier versions, renders fail
 * behind it: they find neither the package.json of a module nor the modules that it requires.
 */
function permissionFlag(): string | undefined {
  if (!isNode) return undefined;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= 24 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)) return '--permission';
  return major === 20 && minor >= 20 ? '--experimental-permission' : undefined;
}

export const HAS_PERMISSIONS = permissionFlag() !== undefined;

/** Reason why this Node has no usable permission model; undefined if it has one, or is another runtime. */
export const NO_PERMISSIONS_REASON =
  isNode && !HAS_PERMISSIONS
    ? `permissions: Node ${process.versions.node} can't load the package behind them, expected Node 20.20, 22.13, 23.5 or later`
    : undefined;

/** Node's options for a process that may read `paths`, with all that is in them, and otherwise nothing. */
export function permissionOptions(paths: readonly string[], hasThreads: boolean): string[] {
  const flag = permissionFlag();
  if (flag === undefined) return [];
  return [
    flag,
    ...paths.map((path) => `--allow-fs-read=${path}`),
    ...(hasThreads ? ['--allow-worker'] : []),
    // it would warn that the model is experimental
    ...(flag === '--permission' ? [] : ['--no-warnings']),
  ];
}
