// Writes schema.json, the JSON Schema of payloads, which editors read and the dashboard's JSON editor contains.
//   node scripts/schema.mjs
import { writeFileSync } from 'node:fs';
import { importSource } from './import-source.mjs';

const { payloadJsonSchema } = await importSource(`export * from './lib/contract/json-schema.ts';`);
writeFileSync(new URL('../schema.json', import.meta.url), `${JSON.stringify(payloadJsonSchema())}\n`);
