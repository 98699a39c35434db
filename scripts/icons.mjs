// Makes fonts/icons/lucide/, the icons of Lucide by their first letters, from pinned packages: a page that shows one icon reads
// the file of its letter. A file is an Iconify set whose bodies lack the group that is around almost all of them.
//   node scripts/icons.mjs     needs npm and tar; takes some seconds
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ICONS = {
  package: '@iconify-json/lucide@1.2.137',
  integrity: 'sha512-uKz1+tFbv1RFX/mJQNksdnyKJijNfRGSNnxfiyKtr+dLNfA3ERph+IgpXClKGOlV/5GsZwLv2jgJXQ/bjF/JAg==',
};
/** The licence, which the other package lacks. */
const LICENCE = {
  package: 'lucide-static@1.62.0',
  integrity: 'sha512-WBZA/m2PvkFpMGHDtsBck5P2A9G4ehLlYu4GwwICcmEm1BvYVgj00lCDxKRWLlbMlOibLaiwdQ88G5pHkSWgwA==',
};
const PAINT = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';
const AROUND = [`<g ${PAINT}>`, '</g>'];

const workFolder = mkdtempSync(join(tmpdir(), 'icons-'));

/** Downloads and unpacks a package and returns its folder. Throws if the tarball is not the pinned one. */
function fetchPackage({ package: spec, integrity }) {
  const words = ['pack', '--json', '--silent', '--pack-destination', workFolder, spec];
  const [tarball] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }));
  if (integrity !== tarball.integrity) throw new Error(`${spec}: expected ${integrity}, received ${tarball.integrity}`);
  const folder = join(workFolder, tarball.name.replace('/', '-'));
  mkdirSync(folder);
  execFileSync('tar', ['xzf', join(workFolder, tarball.filename), '-C', folder, '--strip-components=1']);
  return folder;
}

/** What is in the common group; undefined for a body that is painted otherwise. */
function insideGroup(body) {
  const [open, close] = AROUND;
  if (body.startsWith(open)) return body.slice(open.length, -close.length);
  const alone = new RegExp(`^<(\\w+) ([^>]*?)${PAINT} ?([^>]*)/>$`).exec(body);
  return alone ? `<${alone[1]} ${`${alone[2]}${alone[3]}`.trim()}/>` : undefined;
}

/** The icon in an Iconify set, without what its default says. */
function iconOf({ body, width, height }) {
  const inside = insideGroup(body);
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  return inside === undefined || Object.keys(size).length > 0 ? { body, ...size } : inside;
}

const { prefix, icons, aliases, width, height } = JSON.parse(
  readFileSync(join(fetchPackage(ICONS), 'icons.json'), 'utf8'),
);
/** Names of before, whose icons are in the file of the old name: no icon needs two files. */
const hidden = Object.entries(icons).filter(([, icon]) => icon.hidden);
const renamed = Object.entries(aliases).map(([name, { parent, ...change }]) => {
  if (Object.keys(change).length > 0) throw new Error(`${name}: an alias that turns its icon is not expected`);
  return [name, icons[parent]];
});
const current = Object.entries(icons).filter(([, icon]) => !icon.hidden);

const folder = fileURLToPath(new URL(`../fonts/icons/${prefix}`, import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const letter of new Set(Object.keys(icons).map(([first]) => first))) {
  const lines = (entries) =>
    entries
      .filter(([name]) => name.startsWith(letter))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, icon]) => `${JSON.stringify(name)}:${JSON.stringify(iconOf(icon))}`)
      .join(',\n');
  const head = JSON.stringify({ prefix, width, height, around: AROUND }).slice(1, -1);
  const text = `{${head},"icons":{\n${lines(current)}\n},"formerNames":{\n${lines([...hidden, ...renamed])}\n}}\n`;
  writeFileSync(join(folder, `${letter}.json`), text.replaceAll('{\n\n}', '{}'));
}
copyFileSync(join(fetchPackage(LICENCE), 'LICENSE'), join(folder, '../LICENSE.txt'));
rmSync(workFolder, { recursive: true });
