// node scripts/release-check.mjs [TAG]
// Checks that all files name the version of package.json, as docs/releasing.md asks for; with TAG also that the tag is that
// version's and that the checkout is at the tag, without changes. Prints a line for each fault, and exits with 1 if there is one.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** @param {string} path */
const read = (path) => readFileSync(`${ROOT}/${path}`, 'utf8');
const { version } = JSON.parse(read('package.json'));
const tag = process.argv[2];
/** @type {string[]} */
const faults = [];

const lock = JSON.parse(read('package-lock.json'));
for (const [place, named] of [
  ['version', lock.version],
  ['packages[""].version', lock.packages[''].version],
]) {
  if (named !== version) faults.push(`package-lock.json: ${place} is ${named}, expected ${version}`);
}
if (JSON.parse(read('data/wasm/manifest.json')).kernels.version !== version) {
  faults.push(`data/wasm/manifest.json: kernels.version is not ${version}: run npm run supply`);
}
for (const path of ['docs/operations.md', ...readdirSync(`${ROOT}/deploy`).map((name) => `deploy/${name}`)]) {
  for (const [name, named] of read(path).matchAll(/platen[:-](\d+\.\d+\.\d+[\w.-]*?)(?=\.tgz|[\s"'`])/g)) {
    if (named !== version) faults.push(`${path}: it names ${name}, expected ${version}`);
  }
}

const [, unreleased = '', heading = ''] = /^## \[Unreleased\]\n([\s\S]*?)^(## .*)$/m.exec(read('CHANGELOG.md')) ?? [];
const isDated = heading.startsWith(`## [${version}] - `) && /^\d{4}-\d\d-\d\d$/.test(heading.slice(-10));
if (!isDated)
  faults.push(`CHANGELOG.md: expected "## [${version}] - YYYY-MM-DD" below Unreleased, received "${heading}"`);

if (tag !== undefined) {
  /** @param {string[]} words */
  const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  if (tag !== `v${version}`) faults.push(`the tag is ${tag}, expected v${version}`);
  if (unreleased.trim() !== '') faults.push('CHANGELOG.md: the section Unreleased is not empty');
  const tags = git('tag', '--points-at', 'HEAD').split('\n');
  if (!tags.includes(tag)) faults.push(`the checkout is not at the tag ${tag}`);
  if (git('status', '--porcelain', '--untracked-files=no') !== '')
    faults.push('the checkout has changes that are not committed');
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${version}: every file names this version`);
