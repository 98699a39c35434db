// Writes dist/sbom.cdx.json: the packages that Platen contains or installs, as `npm sbom` lists them, in CycloneDX 1.5. The same
// lock file gives the same bytes: times, random ids and the versions of tools are left out. Packages that are needed to build
// only are in it if their code is in a bundle.
//   node scripts/sbom.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundledFolders, compilerPackage, productionFolders } from './licences.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The output of `npm sbom` for a folder's lock file, whatever the settings of the npm command that started this script. */
function npmSbom(/** @type {string} */ folder) {
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_config_(?!cache$|userconfig$)/i.test(name));
  const { npm_execpath: starter = '' } = process.env;
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const options = { cwd: join(ROOT, folder), env: Object.fromEntries(environment), maxBuffer: 2 ** 26 };
  const output = /npm-cli\.[cm]?js$/.test(starter)
    ? execFileSync(process.execPath, [starter, ...words], options)
    : execFileSync('npm', words, { ...options, shell: process.platform === 'win32' });
  return JSON.parse(output.toString());
}

/** The bill of materials, as text. */
export function sbom() {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const referenceOf = (folder) => `${folder.replace(/^.*node_modules\//, '')}@${lock[folder].version}`;
  const production = new Set(productionFolders().map(referenceOf));
  // without esbuild's binary there are no bundles
  const bundled = new Set(
    existsSync(join(ROOT, 'dist/browser.metafile.json')) ? bundledFolders().map(referenceOf) : [],
  );
  const root = `${name}@${version}`;
  // code of the compiler of the kernels is in them
  const compiler = `${compilerPackage().name}@${compilerPackage().version}`;
  bundled.add(compiler);
  const isListed = (reference) => reference === root || production.has(reference) || bundled.has(reference);
  const { metadata, components, dependencies, ...document } = npmSbom('.');
  components.push(npmSbom('test').components.find((component) => component['bom-ref'] === compiler));
  dependencies.find(({ ref }) => ref === root).dependsOn.push(compiler);
  dependencies.push({ ref: compiler, dependsOn: [] });
  delete document.serialNumber;
  delete metadata.timestamp;
  metadata.component.name = name;
  metadata.tools = metadata.tools.map(({ version: _, ...tool }) => tool);
  const byReference = (a, b) => (a < b ? -1 : 1);
  const listed = components
    .filter((component) => isListed(component['bom-ref']))
    .map((component) =>
      bundled.has(component['bom-ref'])
        ? { ...component, scope: 'required', properties: [{ name: 'platen:bundled', value: 'true' }] }
        : component,
    )
    .sort((a, b) => byReference(a['bom-ref'], b['bom-ref']));
  const edges = dependencies
    .filter(({ ref }) => isListed(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isListed).sort() }))
    .sort((a, b) => byReference(a.ref, b.ref));
  return `${JSON.stringify({ ...document, metadata, components: listed, dependencies: edges }, null, 2)}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(ROOT, 'dist/sbom.cdx.json'), sbom());
