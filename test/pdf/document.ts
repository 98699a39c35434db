// Makes PDF documents of layers, and reads their objects without a parser: streams are inflated, the rest is text.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import '../../lib/node-host.js';
import { createAssets } from '../../lib/assets/loader.js';
import { rasterScaleFor } from '../../lib/contract/layers/output-size.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import { meaningOf } from '../../lib/layers/meaning.js';
import { PdfDocument, type PdfOptions, type PdfPage } from '../../lib/pdf/index.js';
import { paintScene } from '../../lib/render/paint-scene.js';
import { resolve } from '../../lib/templates/resolve.js';

const typefaces = createFontRegistry();

export type Layers = readonly object[];

/** The document of some pages, each of one canvas. */
export async function pdfOf(
  pages: readonly Layers[],
  options: PdfOptions = {},
  canvas: object = { width: 400, height: 300, backgroundColor: '#fff' },
): Promise<Buffer> {
  const assets = createAssets({ timeoutMs: 5000, maxBytes: 1e7, maxPixels: 1e7 });
  const scenes = pages.map((layers) => resolve({ canvas, layers }, { maxLayers: 100, checkUrl: assets.source }));
  const document = new PdfDocument(options);
  for (const scene of scenes) {
    const rasterScale = rasterScaleFor(scene.canvas);
    const { canvas } = scene;
    const scaled = { ...scene, canvas: { ...canvas, scale: canvas.scale * rasterScale } };
    const paint: PdfPage['paint'] = (targetFor) =>
      paintScene(scaled, { assets, typefaces, enlargement: rasterScale, meaningOf }, targetFor);
    await document.addPage({ rasterScale, paint });
  }
  await document.finish();
  return Buffer.from(document.take());
}

export const text = (more: object) => ({ type: 'text', x: 10, y: 10, width: 380, height: 280, fontSize: 20, ...more });

export const shape = (more: object) => ({
  type: 'shape',
  shapeType: 'rectangle',
  x: 20,
  y: 20,
  width: 100,
  height: 80,
  fillColor: '#c00',
  ...more,
});

/** All of the document as text: dictionaries, and the content of streams that are deflated. */
export function readable(pdf: Buffer): string {
  const file = pdf.toString('latin1');
  let all = '';
  let end = 0;
  for (const { index, 0: head, 1: length } of file.matchAll(/\/Length (\d+)>>\nstream\n/g)) {
    const start = index + head.length;
    const dictionary = file.slice(end, start);
    end = start + Number(length);
    const isDeflated = dictionary.includes('/FlateDecode') && !dictionary.includes('/Predictor');
    all += dictionary + (isDeflated ? inflateSync(pdf.subarray(start, end)).toString('latin1') : '');
  }
  return all + file.slice(end);
}

/** Runs a tool on a document: its output, or undefined without the tool. */
export function withTool(pdf: Buffer, command: string, args: (path: string) => readonly string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
  try {
    const path = join(folder, 'a.pdf');
    writeFileSync(path, pdf);
    return execFileSync(command, args(path), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines of text that poppler copies, without marks of direction; undefined without poppler. */
export function copied(pdf: Buffer): string[] | undefined {
  const out = withTool(pdf, 'pdftotext', (path) => ['-layout', path, '-']);
  return out
    ?.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\f]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
