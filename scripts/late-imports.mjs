// A plugin of esbuild for scripts that load parts later: the library stays in one file.
import { dirname, join, relative } from 'node:path';

const NAMESPACE = 'with-library';

/**
 * Makes what is loaded later import `library` first, which is there by then. esbuild makes a chunk of the modules that the same
 * entry points reach, and every late import is one: without this, each takes a part of the library out into a small file, and
 * 40 files are 9 KiB larger than 10 when compressed. The import itself is left out of the output, as the library has no
 * effects, and esbuild warns of it (`ignored-bare-import`); it counts all the same.
 * @param {string} root the checkout
 * @param {string} library the path of its module that imports everything that is needed first
 * @returns {import('esbuild').Plugin}
 */
export function wholeLibrary(root, library) {
  const first = `import ${JSON.stringify(join(root, library))};`;
  return {
    name: 'whole-library',
    setup({ onResolve, onLoad, onEnd, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === NAMESPACE) return undefined;
        const found = await resolve(path, { kind, resolveDir, pluginData: NAMESPACE });
        if (found.external || !relative(root, found.path).startsWith('lib')) return undefined;
        return { path: found.path, namespace: NAMESPACE };
      });
      onResolve({ filter: /^\//, namespace: NAMESPACE }, ({ path }) => ({ path, sideEffects: true }));
      onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        contents: `${first}\nexport * from ${JSON.stringify(path)};`,
        resolveDir: dirname(path),
      }));
      // the lists of what is bundled have the modules alone
      onEnd(({ metafile }) => {
        if (!metafile) return;
        for (const output of Object.values(metafile.outputs)) {
          output.entryPoint = output.entryPoint?.replace(`${NAMESPACE}:${join(root, '/')}`, '');
          for (const input of Object.keys(output.inputs)) if (input.startsWith(NAMESPACE)) delete output.inputs[input];
        }
        for (const input of Object.keys(metafile.inputs))
          if (input.startsWith(NAMESPACE)) delete metafile.inputs[input];
      });
    },
  };
}
