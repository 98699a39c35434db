// Imports modules of the sources, bundled in memory, so that scripts need no compiled modules.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The exports of a module.
 * @param {string} contents its text, with paths from the root
 */
export async function importSource(contents) {
  const options = { bundle: true, format: 'esm', platform: 'node', write: false };
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: ROOT } });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
