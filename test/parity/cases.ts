// The payloads that all runtimes render: the goldens, the examples, the bundled templates with their rows and sample sets, and
// random ones.
// Local files become data: URLs, because browsers and edge runtimes have no files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { parse } from 'csv-parse/sync';
import { listSamples } from '../../lib/contract/template/samples.js';
import { listFonts } from '../../lib/index.js';
import { ROOT } from '../checkout.js';
import { dataUrl, everySvg } from '../fuzz/samples.js';
import { findSeeds, fontSeeds } from '../fuzz/seeds.js';
import { type Materials, randomPayload } from './random-payload.js';

export const GROUPS = ['goldens', 'examples', 'templates', 'fuzzed'] as const;
type Group = (typeof GROUPS)[number];

/** A payload to render. */
export interface Case {
  /** `goldens/text/wrap`, `fuzzed/7-123`. */
  readonly name: string;
  readonly payload: unknown;
  readonly variables?: unknown;
  /** The format to encode; absent: only pixels are compared. */
  readonly format?: string;
}

/** The group of a case, one of GROUPS or another part of a report: the text before the first slash. */
export const groupOf = ({ name }: { readonly name: string }) => name.slice(0, name.indexOf('/'));

/** All cases, with `count` random payloads of the seed. */
export async function makeCases(count: number, seed: string): Promise<Case[]> {
  return [
    ...files('goldens', 'test/golden'),
    ...files('examples', 'examples'),
    ...templates(),
    ...(await fuzzed(count, seed)),
  ];
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ttf': 'font/ttf',
};

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The value with data: URLs in place of the names of pictures and fonts, which lie relative to `folder`. */
function withFiles(value: unknown, folder: string): unknown {
  if (typeof value === 'string') {
    const type = MIME_TYPES[extname(value)];
    if (type === undefined || !existsSync(join(folder, value))) return value;
    return `data:${type};base64,${readFileSync(join(folder, value)).toString('base64')}`;
  }
  if (Array.isArray(value)) return value.map((item) => withFiles(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withFiles(field, folder)]));
}

/** Each payload below a folder; its variables, if it has some, are in `<name>.variables.json`. */
function files(group: Group, path: string): Case[] {
  const folder = join(ROOT, path);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && !name.endsWith('.variables.json'))
    .sort();
  return names.map((name) => {
    const stem = name.slice(0, -'.json'.length);
    const variables = join(folder, `${stem}.variables.json`);
    return {
      name: `${group}/${stem.split(sep).join('/')}`,
      payload: withFiles(readJson(join(folder, name)), folder),
      ...(existsSync(variables) && { variables: withFiles(readJson(variables), folder) }),
      format: 'png',
    };
  });
}

/** The templates as they are, and once for each sample set and each row of the file beside them, in each format in turn. */
function templates(): Case[] {
  const folder = join(ROOT, 'data/templates');
  const formats = ['png', 'jpeg', 'webp', 'avif'];
  return files('templates', 'data/templates').flatMap((plain) => {
    const rows = rowsOf(join(ROOT, 'data', plain.name)).map((row) => withFiles(row, folder));
    const samples = listSamples(plain.payload).map(({ variables }) => variables);
    const filled = [...samples, ...rows].map((variables, i) => ({
      ...plain,
      name: `${plain.name}-${i + 1}`,
      variables,
      format: formats[(i + 1) % formats.length],
    }));
    return [plain, ...filled];
  });
}

function rowsOf(stem: string): unknown[] {
  if (existsSync(`${stem}.jsonl`)) {
    const lines = readFileSync(`${stem}.jsonl`, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
  if (!existsSync(`${stem}.csv`)) return [];
  const rows: Record<string, string>[] = parse(readFileSync(`${stem}.csv`), { columns: true });
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')));
}

async function fuzzed(count: number, seed: string): Promise<Case[]> {
  const materials = await findMaterials();
  return Array.from({ length: count }, (_, number) => {
    const payload = randomPayload(seed, number, materials);
    return { name: `fuzzed/${seed}-${number}`, payload, format: String(payload.format) };
  });
}

async function findMaterials(): Promise<Materials> {
  const options = { root: ROOT, packages: false };
  const folders = ['test/codecs/fixtures', 'test/golden/assets', 'examples/pictures'];
  const found = findSeeds(options, folders, /\.(png|jpg|webp|avif|gif|svg)$/);
  const pictures = found.map(({ name, bytes }) => `data:${MIME_TYPES[extname(name)]};base64,${base64(bytes)}`);
  const fonts = await Promise.all((['sfnt', 'woff', 'woff2'] as const).map((kind) => fontSeeds(options, kind)));
  const svg = `data:image/svg+xml,${encodeURIComponent(everySvg())}`;
  return {
    pictures: [...pictures, svg, 'data:image/png;base64,AAAA'],
    fonts: fonts.flatMap((seeds) => seeds.slice(0, 3).map(({ bytes }) => dataUrl(bytes))),
    families: listFonts().map(({ family }) => family),
  };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
