// Which test files there are, which of them `npm test` runs (all but those that take long or need a browser, which
// `npm run test:full` runs), and which run in one process.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The names of all test files, relative to the root. Installed packages have thousands of files, so they are not searched. */
export function testFiles(folder = 'test') {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path);
      return path.endsWith('.test.ts') ? [path] : [];
    })
    .sort();
}

/**
 * Files and folders of `npm run test:full`, by what they are. A folder ends with a slash. On two idle cores `npm test` is to
 * take at most four minutes.
 */
export const FULL = {
  'journeys in browsers': [
    'test/dashboard/pages/',
    'test/browser/chromium.test.ts',
    'test/browser/pages.test.ts',
    'test/dashboard/preview.test.ts',
    'test/dashboard/sign-in.test.ts',
    'test/codecs/profile/chromium.test.ts',
    'test/layers/color-glyph/chromium.test.ts',
    'test/layout/flex/chromium.test.ts',
    'test/service/browser.test.ts',
    'test/service/docs/guide.test.ts',
    'test/svg/live-text.test.ts',
    'test/web-worker/',
  ],
  'several nodes, crashes and attacks': [
    'test/crash/',
    'test/nodes/',
    'test/cli/admin/stores.test.ts',
    'test/service/overload.test.ts',
    'test/service/pool.test.ts',
    'test/service/restart.test.ts',
    'test/service/sandbox.test.ts',
    'test/service/trace/',
    'test/store/copy-contents.test.ts',
    'test/store/copy.test.ts',
    'test/store/postgres/crash.test.ts',
    'test/store/postgres/migration.test.ts',
    'test/workers/hostile.test.ts',
  ],
  'programs and servers that start': [
    'test/cli/admin/',
    'test/cli/batch/batch.test.ts',
    'test/cli/doctor.test.ts',
    'test/cli/inspect-font.test.ts',
    'test/cli/log-stream.test.ts',
    'test/cli/process.test.ts',
    'test/cli/signals.test.ts',
    'test/cli/started.test.ts',
    'test/cli/unhandled-rejections.test.ts',
    'test/client/service.test.ts',
    'test/dashboard/wire.test.ts',
    'test/service/assets-socket.test.ts',
    'test/service/batch/socket.test.ts',
    'test/service/health.test.ts',
    'test/service/http/server.test.ts',
    'test/service/images-proxy.test.ts',
    'test/service/inspect-socket.test.ts',
    'test/service/serve.test.ts',
    'test/service/wire.test.ts',
    'test/store/serve.test.ts',
    'test/workers/asset-transfer.test.ts',
    'test/workers/inspect-asset.test.ts',
    'test/workers/pool.test.ts',
    'test/workers/remote/',
    'test/workers/scene-renderer.test.ts',
  ],
  'the package and its documents': [
    'test/api-examples.test.ts',
    'test/browser/bundle.test.ts',
    'test/browser/types.test.ts',
    'test/build.test.ts',
    'test/cli/bundle.test.ts',
    'test/documents.test.ts',
    'test/library.test.ts',
    'test/npx.test.ts',
    'test/readme.test.ts',
    'test/recipes.test.ts',
    'test/snippets.test.ts',
    'test/supply.test.ts',
    'test/tsdoc.test.ts',
    'test/types.test.ts',
  ],
  'many cases': [
    'test/bytes/inflate.test.ts',
    'test/codecs/avif/grid.test.ts',
    'test/codecs/png/encode.test.ts',
    'test/codecs/svg/cost.test.ts',
    'test/codecs/tools.test.ts',
    'test/data/fuzz-long.test.ts',
    'test/examples.test.ts',
    'test/faults/bulk.test.ts',
    'test/faults/payloads.test.ts',
    'test/fonts/user-fonts.test.ts',
    'test/fonts/woff2/decode.test.ts',
    'test/fuzz/',
    'test/gallery.test.ts',
    'test/jitless-goldens.test.ts',
    'test/jitless.test.ts',
    'test/kernels/deflate.test.ts',
    'test/kernels/translate-wasm.test.ts',
    'test/locale/intl-long.test.ts',
    'test/order.test.ts',
    'test/parity/cases.test.ts',
    'test/render/retained.test.ts',
    'test/scanner/zbar.test.ts',
    'test/store/embedded/content.test.ts',
    'test/store/embedded/format.test.ts',
    'test/store/embedded/render-log/',
    'test/templates/examples.test.ts',
    'test/text/harfbuzz/translation.test.ts',
    'test/text/naughty.test.ts',
  ],
};

const isIn = (path, place) => path === place || (place.endsWith('/') && path.startsWith(place));

/** Whether `npm run test:full` runs the file. */
export const isFull = (path) => Object.values(FULL).some((places) => places.some((place) => isIn(path, place)));

/** Files and folders of `npm test` whose tests need a process of their own: they load what others have loaded, or take long. */
const ALONE = ['test/golden.test.ts', 'test/kernels/refusal.test.ts', 'test/loader/', 'test/text/trap.test.ts'];
/** Files of one process: more of them share more, and keep more in memory. */
const GROUP_SIZE = 12;

/**
 * Names of groups of files that run in one process: those of one folder of test/ share what they load, and the code that is
 * compiled. Files of `npm run test:full` and of ALONE have a process each.
 * @param {readonly string[]} paths
 * @returns {Map<string, string[]>}
 */
export function groupFiles(paths) {
  const groups = new Map();
  const counts = new Map();
  for (const path of paths) {
    const isAlone = isFull(path) || ALONE.some((place) => isIn(path, place));
    const folder = path.split('/').slice(0, -1).slice(0, 2).join('/');
    const count = counts.get(folder) ?? 0;
    const name = isAlone ? path : `${folder}/group-${Math.floor(count / GROUP_SIZE)}`;
    if (!isAlone) counts.set(folder, count + 1);
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return groups;
}

/** One line: how many files a run of `npm test` leaves out, by what they are. */
export function leftOut(paths) {
  const parts = Object.entries(FULL).map(
    ([what, places]) => `${what} ${paths.filter((path) => places.some((place) => isIn(path, place))).length}`,
  );
  const count = paths.filter(isFull).length;
  return `# left out: ${count} files (${parts.join(', ')}); npm run test:full runs them`;
}
