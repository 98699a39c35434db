// Installs the packages of test/package.json, which only tests, checks and generators need, into test/node_modules: once for
// each lock file. `npm ci` in the root stays small without them.
//   node scripts/tools.mjs [COMMAND …]   installs them if needed, and runs one of their commands
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../test', import.meta.url));
const STAMP = join(FOLDER, 'node_modules/.lock.sha256');

/** Installs the packages unless they are those of the lock file. Exits with the code of npm if it fails. */
export function installTools() {
  const hash = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
  console.error('installing the tools in test/package.json');
  // the settings of the npm command that started this script are not for this one
  const isInherited = ([name]) => !/^npm_config_(?!cache$|userconfig$|offline$|registry$)/i.test(name);
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: FOLDER,
    env: Object.fromEntries(Object.entries(process.env).filter(isInherited)),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('npm ci in test/ failed');
    process.exit(status ?? 1);
  }
  writeFileSync(STAMP, hash);
}

/**
 * The URL of a tool's module.
 * @param {string} path its path in test/node_modules
 */
export const toolUrl = (path) => new URL(`../test/node_modules/${path}`, import.meta.url).href;

if (argv[1] === fileURLToPath(import.meta.url)) {
  installTools();
  const [, , command, ...words] = argv;
  if (command !== undefined) {
    const path = join(FOLDER, 'node_modules/.bin', command);
    const { status } = spawnSync(path, words, { stdio: 'inherit', shell: process.platform === 'win32' });
    process.exitCode = status ?? 1;
  }
}
