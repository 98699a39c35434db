// The package declares the code of others in it: licences, WebAssembly files and the bill of materials.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from './checkout.js';

const { bundledFolders, compilerPackage, licenceFile, packageLicence, productionFolders } = await import(
  '../scripts/licences.mjs' as string
);
const { WASM_FILES } = await import('../scripts/wasm-files.mjs' as string);
const { wasmManifest } = await import('../scripts/supply.mjs' as string);
const { sbom } = await import('../scripts/sbom.mjs' as string);

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const nameOf = (folder: string) => folder.replace(/^.*node_modules\//, '');

t.test('THIRD-PARTY-LICENSES.txt has the licences of all packages, fonts and data', async (t) => {
  const text = read('THIRD-PARTY-LICENSES.txt');
  t.ok(text === licenceFile(), 'is up to date: npm run supply');
  const folders: string[] = [...productionFolders(), ...bundledFolders()];
  t.ok(folders.length > 50, `${folders.length} packages`);
  for (const name of ['harfbuzzjs', 'zxing-wasm', 'preact', 'pg', 'pgpass']) {
    t.ok(folders.includes(`node_modules/${name}`), name);
  }
  for (const folder of folders) {
    const { name, version } = JSON.parse(read(`${folder}/package.json`));
    t.ok(text.includes(`\n${name} ${version} (`), folder);
  }
  for (const { name } of readdirSync(join(ROOT, 'fonts'), { withFileTypes: true }).filter((at) => at.isDirectory())) {
    t.ok(text.includes(`\nfonts/${name}\n`), name);
  }
  t.ok(text.includes(`\nAssemblyScript's standard library, compiled by assemblyscript ${compilerPackage().version} `));
  for (const phrase of ['Mozilla Public License Version 2.0', 'SIL OPEN FONT LICENSE', 'UNICODE LICENSE V3', 'CC-BY']) {
    t.ok(text.includes(phrase), phrase);
  }
});

t.test('a package without a licence text, or with a text for another version, stops the list', async (t) => {
  t.throws(() => packageLicence('node_modules/pg-types', {}), /pg-types 2\.2\.0 ships no licence text/);
  const other = { version: '1.0.0', file: 'pg-types.txt' };
  t.throws(
    () => packageLicence('node_modules/pg-types', { 'pg-types': other }),
    /looked up for 1\.0\.0, not for 2\.2\.0/,
  );
  t.throws(() => packageLicence('node_modules/pg', { pg: other }), /pg ships its licence/);
  const [{ text }] = packageLicence('node_modules/pg-types', { 'pg-types': { ...other, version: '2.2.0' } });
  t.match(text, /^The MIT License \(MIT\)\n\nCopyright \(c\) 2014 Brian M\. Carlson\n/);
});

t.test('data/licences/sources.json says where each text is from', async (t) => {
  const { packages, libraries } = JSON.parse(read('data/licences/sources.json'));
  const entries = Object.entries<{ file: string; source: string }>({ ...packages, ...libraries });
  const files = entries.map(([name, { file, source }]) => {
    t.ok(source.length > 10, name);
    return file;
  });
  const texts = readdirSync(join(ROOT, 'data/licences')).filter((name) => name.endsWith('.txt'));
  t.same([...new Set(files)].sort(), texts.sort());
});

t.test('data/wasm/manifest.json lists every WebAssembly file with its source, version and hash', async (t) => {
  t.equal(read('data/wasm/manifest.json'), await wasmManifest(), 'is up to date: npm run supply');
  const manifest: Record<string, Record<string, never>> = JSON.parse(read('data/wasm/manifest.json'));
  t.same(Object.keys(manifest).sort(), [...Object.keys(WASM_FILES), 'kernels'].sort());
  const pinned = JSON.parse(read('package.json'));
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  for (const [name, entry] of Object.entries(manifest)) {
    const { package: owner, version, path, sha256, browser } = entry;
    t.equal(
      hashOf(readFileSync(join(ROOT, (browser as { path: string }).path))),
      (browser as { sha256: string }).sha256,
      name,
    );
    if (owner === undefined) continue;
    t.equal(hashOf(readFileSync(join(ROOT, 'node_modules', owner, path))), sha256, name);
    t.equal(
      { ...pinned.dependencies, ...pinned.devDependencies }[owner],
      version,
      `${owner} is pinned at this version`,
    );
  }
  const own = Object.keys(manifest).filter((name) => manifest[name].package === undefined);
  t.same(own, ['kernels']);
  t.ok(existsSync(join(ROOT, String(manifest.kernels.source), 'index.ts')));
});

t.test('the package contains no WebAssembly that the manifest does not list', async (t) => {
  const manifest: Record<string, { sha256: string; browser: { path: string } }> = JSON.parse(
    read('data/wasm/manifest.json'),
  );
  const listed = Object.values(manifest).map(({ browser }) => browser.path);
  const folders: string[] = JSON.parse(read('package.json')).files.filter(
    (path: string) => path.startsWith('dist/') && !path.includes('.'),
  );
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath ?? entry.path, entry.name)
          .slice(ROOT.length)
          .replaceAll('\\', '/')
          .replace(/^\//, ''),
      ),
  );
  t.same(files.filter((path) => path.endsWith('.wasm')).sort(), listed.sort());
  // the bundler breaks long strings into lines, each with a backslash at its end
  const oneLine = (code: string) => code.replaceAll('\\\n', '');
  const embedded = files
    .filter((path) => /\.c?js$/.test(path))
    .flatMap((path) =>
      // the base64 form of the first bytes of a module
      Array.from(oneLine(read(path)).matchAll(/AGFzbQEAAAA[\w+/=]*/g), ([code]) => ({ path, code })),
    );
  t.ok(embedded.length >= 1, 'the kernels are in dist/lib');
  for (const { path, code } of embedded) {
    t.equal(createHash('sha256').update(Buffer.from(code, 'base64')).digest('hex'), manifest.kernels.sha256, path);
  }
});

t.test(
  'dist/sbom.cdx.json lists the packages that are installed or bundled, and never changes by itself',
  async (t) => {
    const text = read('dist/sbom.cdx.json');
    t.equal(sbom(), text, 'made again, it is the same');
    t.notMatch(text, /timestamp|serialNumber|urn:uuid/);
    const { bomFormat, specVersion, metadata, components, dependencies } = JSON.parse(text);
    t.same([bomFormat, specVersion], ['CycloneDX', '1.5']);
    const { name, version } = JSON.parse(read('package.json'));
    t.equal(metadata.component['bom-ref'], `${name}@${version}`);
    const lock = JSON.parse(read('package-lock.json')).packages;
    const folders: string[] = [...productionFolders(), ...bundledFolders()];
    const compiler = `assemblyscript@${compilerPackage().version}`;
    const expected = new Set([compiler, ...folders.map((folder) => `${nameOf(folder)}@${lock[folder].version}`)]);
    const references: string[] = components.map((component: Record<string, string>) => component['bom-ref']);
    t.same(references, [...expected].sort());
    for (const { 'bom-ref': reference, hashes, licenses, purl } of components) {
      t.match(hashes[0], { alg: 'SHA-512', content: /^[0-9a-f]{128}$/ }, reference);
      t.ok(licenses.length > 0, reference);
      t.match(purl, /^pkg:npm\//);
    }
    for (const { ref, dependsOn } of dependencies) {
      for (const other of [ref, ...dependsOn]) t.ok(other === `${name}@${version}` || expected.has(other), other);
    }
  },
);

t.test('the package has all three lists', async (t) => {
  const { files } = JSON.parse(read('package.json'));
  for (const path of ['THIRD-PARTY-LICENSES.txt', 'data/wasm/manifest.json', 'dist/sbom.cdx.json'])
    t.ok(files.includes(path), path);
});
