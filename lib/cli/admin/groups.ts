// The first words of the admin commands. Every start of the program reads this file, so it imports nothing.

export const ADMIN_GROUPS = [
  'init',
  'workspaces',
  'keys',
  'links',
  'credits',
  'templates',
  'brand',
  'assets',
  'log',
  'operators',
  'audit',
  'store',
  'migrate',
] as const;

/** Whether `argv` is an admin command. A payload file with such a name is written `./log`. */
export function isAdmin([first]: readonly string[]): boolean {
  return ADMIN_GROUPS.some((group) => group === first);
}
