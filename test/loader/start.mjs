// `node test/loader/start.mjs FILE…` runs test files of one group as tap's own command does, in a third of the time: it loads
// the bundle without module hooks, if there is one.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './children.mjs';
import { findBundle } from './bundle.mjs';

const [node, , ...files] = process.argv;
const paths = files.map((file) => resolve(file));
// the runner names its folders after the command line
process.argv = [node, paths[0]];
globalThis.namedTestFiles = paths;
const bundle = findBundle(paths[0]);
if (bundle === undefined) await import('./register.mjs');
await import(pathToFileURL(bundle ?? paths[0]).href);
