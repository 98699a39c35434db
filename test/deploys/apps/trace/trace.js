// Copies what the program needs, as @vercel/nft finds it, to a folder.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

const { fileList } = await nodeFileTrace(['program.js']);
for (const file of fileList) cpSync(file, join(process.argv[2], file));
