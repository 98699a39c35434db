// The walls between a render process and the machine.

/** The demand of RENDER_SANDBOX: the best walls that start, namespaces, or nothing. */
export type SandboxMode = 'auto' | 'require' | 'off';

/**
 * `namespaces` gives the process a separate file system, no network and no sight of other processes; `permissions` is Node's
 * permission model; with `pool`, the process runs in a separate pool, whose log says which of the other two stand there.
 */
export const WALLS = ['namespaces', 'permissions', 'pool'] as const;
export type Wall = (typeof WALLS)[number];

/** The walls that a process starts behind. */
export interface LocalWalls {
  /**
   * `root` namespaces are made by root, who becomes another user; `user` ones are made in a user namespace. Without a value
   * there are none.
   */
  readonly namespaces?: 'root' | 'user' | undefined;
  readonly permissions: boolean;
}

export const NO_WALLS: LocalWalls = { permissions: false };

export function wallsOf({ namespaces, permissions }: LocalWalls): Wall[] {
  return [...(namespaces ? (['namespaces'] as const) : []), ...(permissions ? (['permissions'] as const) : [])];
}

/** Thrown where RENDER_SANDBOX=require or RENDER_POOL can't be met; the message is one line. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
