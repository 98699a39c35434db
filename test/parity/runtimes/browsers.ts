// Chromium and Firefox: a page on a loopback server renders the cases, by itself or in a module worker.
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serveCheckout } from './file-server.js';
import { RUNTIMES_FOLDER, type RunOptions } from './options.js';

/** A page that asks for nothing and sends no result for so long is stuck. */
const MAX_IDLE_MS = 120_000;
const CHROMIUM_FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** The part of puppeteer-core that is used. Its types lie in test/runtimes, which may not be installed. */
interface Puppeteer {
  launch(options: object): Promise<Browser>;
}

export interface Browser {
  version(): Promise<string>;
  newPage(): Promise<{ goto(url: string): Promise<unknown> }>;
  close(): Promise<void>;
}

export function launch(browser: 'chrome' | 'firefox', executablePath: string): Promise<Browser> {
  const puppeteer: Puppeteer = createRequire(join(RUNTIMES_FOLDER, 'package.json'))('puppeteer-core');
  return puppeteer.launch({ browser, executablePath, args: browser === 'chrome' ? CHROMIUM_FLAGS : [] });
}

/** Renders the cases in a page, or in a worker of one. */
export async function runInPage(browser: Browser, inWorker: boolean, options: RunOptions): Promise<void> {
  let end = (_failure: string) => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const watch = setTimeout(() => end(`no sign of life for ${MAX_IDLE_MS / 1000} s`), MAX_IDLE_MS);
  const server = await serveCheckout(async (pathname, request, response) => {
    watch.refresh();
    if (pathname === '/cases') createReadStream(options.file).pipe(response);
    else if (pathname === '/result') options.onResult(JSON.parse(await text(request)));
    else if (pathname === '/end') end(await text(request));
    else return false;
    if (pathname !== '/cases') response.writeHead(204).end();
    return true;
  });
  try {
    const { port } = server.address() as AddressInfo;
    const query = [inWorker && 'worker', options.pictures && 'pictures'].filter(Boolean).join('&');
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/test/parity/runtimes/page.html?${query}`);
    const failure = await ended;
    if (failure !== '') throw new Error(failure);
  } finally {
    clearTimeout(watch);
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
