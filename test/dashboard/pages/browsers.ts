// Starts Chromium or Firefox for a test, and opens pages in it. What a page must never do is collected: errors of its
// scripts, messages that its console shows as errors, and violations of its policy.
import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import type { Test } from 'tap';
import { CHROMIUM } from '../../chromium.js';
import { Visitor } from './visitor.js';

export type BrowserName = 'chromium' | 'firefox';

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);

/** Why tests in this browser are skipped; false if it is here. */
export const skipped = (name: BrowserName) =>
  (name === 'chromium' ? CHROMIUM : FIREFOX) === undefined && `there is no ${name} here`;

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function launch(name: BrowserName): Promise<Browser> {
  // Pages are late because the machine is slow, never because they fail.
  const common = { protocolTimeout: 600_000, timeout: 300_000 };
  if (name === 'chromium') {
    return await puppeteer.launch({ ...common, executablePath: CHROMIUM!, pipe: true, args: CHROMIUM_FLAGS });
  }
  // Firefox can't change the colour scheme while it runs: Chromium tests both, Firefox the dark one.
  const extraPrefsFirefox = { 'layout.css.prefers-color-scheme.content-override': 0 };
  return await puppeteer.launch({ ...common, browser: 'firefox', executablePath: FIREFOX!, extraPrefsFirefox });
}

export interface OpenBrowser {
  /** A visitor without cookies and storage. */
  visit(): Promise<Visitor>;
  /** Another tab of a visitor. */
  tab(of: Visitor): Promise<Visitor>;
}

/** Starts a browser that ends with the test. Afterwards no page may have had a problem. */
export async function openBrowser(t: Test, name: BrowserName, origin: string): Promise<OpenBrowser> {
  const browser = await launch(name);
  const visitors: Visitor[] = [];
  t.teardown(() => browser.close());
  const open = async (context: BrowserContext) => {
    const page = await context.newPage();
    const visitor = new Visitor({ page, context, origin, browser: name, problems: collectProblems(page) });
    await visitor.resize(1280, 800);
    visitors.push(visitor);
    return visitor;
  };
  return {
    visit: async () => await open(await browser.createBrowserContext()),
    tab: async ({ context }) => await open(context),
  };
}

/** Collects what a page must never do. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => void problems.push(error instanceof Error ? error.message : String(error)));
  page.on('console', (message) => {
    // Chromium writes a line about each answer 4xx and 5xx. Visitors see those as the page shows them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  void page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  return problems;
}
