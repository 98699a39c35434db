// Packs Platen once, as npm publishes it, and makes applications that install the packed file, each in a folder outside of the
// checkout, where nothing of the checkout's packages is found.
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../checkout.js';
import { run } from './processes.js';

/** The applications, with the exact versions of what they install. */
const APPS = join(ROOT, 'test/deploys/apps');

/** What an application gets that needs a newer Node than the one that runs this, by its `engines`. */
const NEWER_NODE = `npm:node-${process.platform}-${process.arch}@24.21.0`;

/** npm's errors when it can't reach a registry. */
const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED)\b/;

/** A trial can't run here, which is no fault of Platen's: the message says why. */
export class SkipTrial extends Error {}

/** The folder of all applications of this run, with the packed file in it. */
export interface Workspace {
  readonly folder: string;
  readonly packedFile: string;
}

export async function makeWorkspace(): Promise<Workspace> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-deploys-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new Error('npm pack made no file');
  return { folder, packedFile: join(folder, file) };
}

/**
 * Copies test/deploys/apps/NAME and the card that all applications draw, and installs Platen and the application's packages.
 * Throws SkipTrial if npm reaches no registry.
 */
export async function makeApp({ folder, packedFile }: Workspace, name: string): Promise<string> {
  const app = join(folder, name);
  cpSync(join(APPS, name), app, { recursive: true });
  cpSync(join(APPS, 'card.js'), join(app, 'card.js'));
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  manifest.dependencies = { ...manifest.dependencies, platen: `file:${packedFile}` };
  const { node = '' } = manifest.engines ?? {};
  if (Number.parseInt(process.versions.node, 10) < Number(/\d+/.exec(node)?.[0] ?? 0)) {
    manifest.devDependencies = { ...manifest.devDependencies, node: NEWER_NODE };
  }
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest, null, 2));
  await install(app);
  return app;
}

/** Runs npm install in a folder, with further words. Throws SkipTrial if npm reaches no registry. */
export async function install(cwd: string, ...words: readonly string[]): Promise<void> {
  try {
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...words], { cwd });
  } catch (error) {
    const { message } = error as Error;
    if (UNREACHABLE.test(message)) throw new SkipTrial(`npm can't install its packages: ${message.split('\n')[1]}`);
    throw error;
  }
}
