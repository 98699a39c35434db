// Plugin of esbuild: a module of Node loads when one of its exports is first used. An import of ECMAScript loads it when the
// program starts, and reads all of its exports, some of which load further modules.
const GET = (path) => `(_, name) => (found ??= require('${path}'))[name]`;

export const nodeModules = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) => {
      // the bundle imports node:module itself, for `require`
      if (kind !== 'import-statement' || path === 'node:module') return undefined;
      return { path, namespace: 'node-module' };
    });
    // esbuild makes what the import returns of the own exports, of which it finds none, and of the prototype
    onLoad({ filter: /./, namespace: 'node-module' }, ({ path }) => ({
      contents: `let found; module.exports = Object.create(new Proxy({}, { get: ${GET(path)} }));`,
    }));
  },
};
