// The shell command that starts this program again, as it was started now: for messages that say what to run next.
import { basename, dirname, relative, sep } from 'node:path';

/** A word of a shell command. */
export function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the command that starts this program: `npx render` in a checkout, `npx platen` in a project that has the package (or
 * `npx render`, if that is how it was started), `platen` where it is installed globally, and `node dist/bin/render.js` for the file itself. `program` is the
 * file that Node was started with, which is unknown in the tests of commands; `directory` is the folder where it was started.
 */
export function programCommand(program: string | undefined, directory: string): string {
  if (program === undefined) return 'npx platen';
  const name = basename(program);
  const folders = dirname(program).split(sep);
  if (folders.slice(-2).join('/') === 'node_modules/.bin') return `npx ${name}`;
  if (!name.endsWith('.js')) return name;
  const packages = folders.indexOf('node_modules');
  // a launcher of Windows or pnpm has called the file of the package
  if (packages >= 0) return isInside(directory, folders.slice(0, packages).join(sep)) ? 'npx platen' : 'platen';
  return `node ${quoted(isInside(program, directory) ? relative(directory, program) : program)}`;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
