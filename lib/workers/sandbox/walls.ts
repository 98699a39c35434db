// What stands between a render process and the machine.

/** What RENDER_SANDBOX asks for: the best that starts, namespaces, or nothing. */
export type SandboxMode = 'auto' | 'require' | 'off';

/**
 * `namespaces`: the process sees a file system of its own, no network and no other process. `permissions`: Node's permission
 * model. `pool`: the process runs in a pool of its own, whose log says which of the other two stand there.
 */
export const WALLS = ['namespaces', 'permissions', 'pool'] as const;
export type Wall = (typeof WALLS)[number];

/** How a process starts. */
export interface LocalWalls {
  /** `root`: made by root, who becomes another user; `user`: made in a user namespace; unless given, there are none. */
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
