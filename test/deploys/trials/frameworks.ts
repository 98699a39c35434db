// Frameworks with a server: a route that renders with platen, and a page with platen/browser and platen/worker. What the build
// writes is copied elsewhere, with its own packages or, if it has none, with those of the application.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkPage } from '../pages.js';
import { checkServer } from '../pictures.js';
import { run, serve } from '../processes.js';
import { makeApp } from '../setup.js';
import { bytesOf, filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

interface Framework {
  readonly name: string;
  /** The folder that the build writes, and its server's main module. */
  readonly output: string;
  readonly main: string;
  /** Folders of the application that are copied beside the output: from, to. */
  readonly beside?: Readonly<Record<string, string>>;
}

const framework = ({ name, output, main, beside = {} }: Framework): Trial => ({
  name,
  about: `a route and a page of ${name}, in development and built`,
  async run(workspace) {
    const cwd = await makeApp(workspace, name);
    {
      await using server = await serve('npm', ['run', 'dev'], { cwd });
      await checkServer(server);
      await checkPage(server.url);
    }
    await run('npm', ['run', 'build'], { cwd });
    const deployed = join(workspace.folder, `${name}-deployed`);
    cpSync(join(cwd, output), deployed, { recursive: true, verbatimSymlinks: true });
    for (const [from, to] of Object.entries(beside)) {
      cpSync(join(cwd, from), join(deployed, to), { recursive: true, verbatimSymlinks: true });
    }
    const node = join(cwd, 'node_modules/.bin/node');
    const program = existsSync(node) ? node : process.execPath;
    await using server = await serve(program, [main], { cwd: deployed });
    await checkServer(server);
    await checkPage(server.url);
    const files = filesIn(deployed);
    return `${files.length} files, ${megabytes(bytesOf(deployed, files))}`;
  },
});

export const frameworks: readonly Trial[] = [
  { name: 'next', output: '.next/standalone', main: 'server.js', beside: { '.next/static': '.next/static' } },
  { name: 'nuxt', output: '.output', main: 'server/index.mjs' },
  { name: 'astro', output: 'dist', main: 'server/entry.mjs', beside: { node_modules: 'node_modules' } },
  { name: 'sveltekit', output: 'build', main: 'index.js', beside: { node_modules: 'node_modules' } },
].map(framework);
