// Copies to a folder what the image contains: the server with the files that it needs, Node, and the libraries that Node loads.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

const image = process.argv[2];
const { fileList } = await nodeFileTrace(['server.js']);
for (const file of fileList) cpSync(file, join(image, 'app', file));
cpSync('package.json', join(image, 'app/package.json'));

const node = realpathSync(process.execPath);
mkdirSync(join(image, 'tmp'));
cpSync(node, join(image, 'node'));
execFileSync('strip', [join(image, 'node')]);
for (const [library] of execFileSync('ldd', [node], { encoding: 'utf8' }).matchAll(/\/\S+/g)) {
  cpSync(library, join(image, library), { dereference: true });
}
