// Pages that import platen/browser and platen/worker, behind the bundlers and their development servers. A folder with what the
// bundler writes is served by itself: nothing is copied by hand, unless the application's build says so.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkPage, problemOf, serveFolder } from '../pages.js';
import { run, serve } from '../processes.js';
import { makeApp } from '../setup.js';
import { bytesOf, filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

interface PageBundler {
  readonly name: string;
  readonly isQuick?: boolean;
  /** Whether it has a development server, as the script `dev`. */
  readonly hasServer?: boolean;
}

const pageBundler = ({ name, isQuick = false, hasServer = false }: PageBundler): Trial => ({
  name,
  about: `a page with platen/browser and platen/worker, built by ${name}${hasServer ? ', and in development' : ''}`,
  isQuick,
  async run(workspace) {
    const cwd = await makeApp(workspace, name);
    const dist = join(cwd, 'dist');
    await run('npm', ['run', 'build'], { cwd });
    {
      await using host = await serveFolder(dist);
      await checkPage(host.url);
    }
    if (hasServer) {
      await using server = await serve('npm', ['run', 'dev'], { cwd });
      await checkPage(server.url);
    }
    const files = filesIn(dist);
    const sizes = `${files.length} files, ${megabytes(bytesOf(dist, files))}`;
    await checkMissing(dist, files);
    return sizes;
  },
});

/** The page has to name what it misses, and how to mend that, when the fonts were not copied. */
async function checkMissing(dist: string, files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name.endsWith('.woff2'))) rmSync(join(dist, file));
  await using host = await serveFolder(dist);
  const problem = await problemOf(host.url);
  if (!/\/[\w./-]+\.woff2(?:\?\d+)? can't be loaded \(the server answered 404\): .*fontsUrl/.test(problem)) {
    throw new Error(`without its fonts, the page says: ${problem}`);
  }
}

export const pageBundlers: readonly Trial[] = [
  { name: 'vite', isQuick: true, hasServer: true },
  { name: 'esbuild', isQuick: true },
  { name: 'rollup' },
  { name: 'webpack', hasServer: true },
  { name: 'parcel', hasServer: true },
].map(pageBundler);
