// Opens the page of an application in Chromium: it draws the card twice, in the page and in a worker.

import { once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import puppeteer from 'puppeteer-core';
import { CHROMIUM } from '../chromium.js';
import { checkPicture, TITLE } from './pictures.js';
import { SkipTrial } from './setup.js';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
/** Milliseconds in which a page draws; a development server may compile first. */
const MAX_MS = 90_000;

/** What the page shows: the pictures as base64, or the text of what failed. */
interface Shown {
  readonly pictures: Readonly<Record<string, string>>;
  readonly problem: string;
}

/** Throws if the page at `url` does not draw the card in each of its images `page` and `worker`. */
export async function checkPage(url: string): Promise<void> {
  const { pictures, problem } = await open(url);
  if (problem !== '') throw new Error(`${url}: ${problem}`);
  for (const [id, base64] of Object.entries(pictures))
    await checkPicture(`${url}#${id}`, Buffer.from(base64, 'base64'));
}

/** What a page writes into its element `problem`. */
export async function problemOf(url: string): Promise<string> {
  return (await open(url)).problem;
}

async function open(url: string): Promise<Shown> {
  if (CHROMIUM === undefined) throw new SkipTrial('there is no Chromium');
  const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: FLAGS });
  const log: string[] = [];
  try {
    const page = await browser.newPage();
    page.on('console', (message) => log.push(message.text()));
    page.on('pageerror', (error) => log.push(String(error)));
    page.on('requestfailed', (request) => log.push(`${request.url()} failed`));
    page.on('response', (response) => {
      if (response.status() >= 400) log.push(`${response.url()} answered ${response.status()}`);
    });
    await page.goto(`${url}/?title=${encodeURIComponent(TITLE)}`);
    const isDone = `document.getElementById('problem').textContent !== '' || [...document.images].every((image) => image.src)`;
    await page.waitForFunction(isDone, { timeout: MAX_MS });
    return (await page.evaluate(READ)) as Shown;
  } catch (error) {
    throw new Error(`${url}: ${(error as Error).message}\n${log.join('\n')}`);
  } finally {
    await browser.close();
  }
}

const READ = `(async () => {
  const pictures = {};
  const problem = document.getElementById('problem').textContent;
  for (const { id, src } of problem ? [] : document.images) {
    const bytes = new Uint8Array(await (await fetch(src)).arrayBuffer());
    pictures[id] = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }
  return { pictures, problem };
})()`;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Serves the files of a folder and nothing else, as a host of static sites does. */
export async function serveFolder(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : decodeURIComponent(pathname)));
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    return createReadStream(file).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
