// Pages that import platen/browser and platen/worker, behind the bundlers and their development servers. A folder with what the
// bundler writes is served by itself: nothing is copied by hand, unless the application's build says so.
import { checkPage, serveFolder } from '../pages.js';
import { run, serve } from '../processes.js';
import { makeApp } from '../setup.js';
import { bytesOf, filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

interface PageBundler {
  readonly name: string;
  readonly isQuick?: boolean;
  /** The arguments of npx, for a build into the folder `dist`. */
  readonly build: readonly string[];
  /** The arguments of npx for the development server, whose port is `PORT`. */
  readonly dev?: readonly string[];
}

const pageBundler = ({ name, isQuick = false, build, dev }: PageBundler): Trial => ({
  name,
  about: `a page with platen/browser and platen/worker, built by ${name}${dev ? ', and in development' : ''}`,
  isQuick,
  async run(workspace) {
    const cwd = await makeApp(workspace, name);
    await run('npx', build, { cwd });
    await using host = await serveFolder(`${cwd}/dist`);
    await checkPage(host.url);
    if (dev) {
      await using server = await serve('npx', dev, { cwd });
      await checkPage(server.url);
    }
    const files = filesIn(`${cwd}/dist`);
    return `${files.length} files, ${megabytes(bytesOf(`${cwd}/dist`, files))}`;
  },
});

export const pageBundlers: readonly Trial[] = [
  { name: 'vite', isQuick: true, build: ['vite', 'build'], dev: ['vite', '--host=127.0.0.1', '--port=PORT'] },
  { name: 'esbuild', isQuick: true, build: ['node', 'build.js'] },
  { name: 'rollup', build: ['rollup', '--config'] },
  {
    name: 'webpack',
    build: ['webpack', 'build'],
    dev: ['webpack', 'serve', '--host=127.0.0.1', '--port=PORT'],
  },
  { name: 'parcel', build: ['parcel', 'build'], dev: ['parcel', 'serve', '--host=127.0.0.1', '--port=PORT'] },
].map(pageBundler);
