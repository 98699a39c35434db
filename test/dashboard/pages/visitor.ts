// A person at a page of the dashboard, for tests: finds everything by role and accessible name, as a screen reader does, and
// checks what holds in every state of every page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import type { Test } from 'tap';
import type { BrowserName } from './browsers.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Long enough for a machine that does much else: what takes longer never comes. */
const PATIENCE_MS = 120_000;

export type Element = ElementHandle<globalThis.Element>;

export interface VisitorOptions {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly origin: string;
  readonly browser: BrowserName;
  readonly problems: readonly string[];
}

export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Actions of the page that are never allowed. */
  readonly problems: readonly string[];
  readonly #origin: string;
  readonly #browser: BrowserName;
  /** The page that was inspected last. */
  #inspected = '';

  constructor({ page, context, origin, browser, problems }: VisitorOptions) {
    this.page = page;
    this.context = context;
    this.problems = problems;
    this.#origin = origin;
    this.#browser = browser;
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#origin).href);
  }

  /** Path and query of the page. */
  get path(): string {
    const { pathname, search } = new URL(this.page.url());
    return pathname + search;
  }

  /** Takes its tab to the front: browsers draw no other. */
  async front(): Promise<void> {
    await this.page.bringToFront();
  }

  async resize(width: number, height: number, deviceScaleFactor = 1): Promise<void> {
    await this.page.setViewport({ width, height, deviceScaleFactor });
  }

  /** The elements on the page now, in the order of the document. */
  async all(role: string, name?: string, within?: Element): Promise<Element[]> {
    const root = within ?? this.page;
    const own = this.#roleOf(role, name);
    const found = await root.$$(selectorOf(own, name));
    if (own === '') {
      // labels have no role either
      const areFields = await Promise.all(found.map((each) => each.evaluate(({ localName }) => localName === 'input')));
      return found.filter((_, index) => areFields[index]);
    }
    if (found.length > 0 || within || this.#browser === 'chromium' || role !== 'textbox') return found;
    // Firefox does not look into shadow roots by itself
    const roots = await this.page.evaluateHandle(() =>
      Array.from(document.querySelectorAll('*')).flatMap(({ shadowRoot }) =>
        shadowRoot ? Array.from(shadowRoot.children) : [],
      ),
    );
    const inside: Element[] = [];
    for (const handle of (await roots.getProperties()).values()) {
      const root = handle.asElement() as Element | null;
      if (root) inside.push(...(await root.$$(selectorOf(own, name))));
    }
    return inside;
  }

  async has(role: string, name?: string, within?: Element): Promise<boolean> {
    return (await this.all(role, name, within)).length > 0;
  }

  /** The first of the page, as soon as it is there. */
  async find(role: string, name?: string, within?: Element): Promise<Element> {
    const found = await this.until(
      async () => (await this.all(role, name, within))[0],
      () => `no ${role} ${name === undefined ? '' : `“${name}” `}came`,
    );
    return found;
  }

  async gone(role: string, name?: string): Promise<void> {
    await this.until(
      async () => !(await this.has(role, name)),
      () => `the ${role} ${name === undefined ? '' : `“${name}” `}did not go`,
    );
  }

  /** The value of `look` as soon as it is truthy. Rejects with `complaint` and what the page shows if it never is. */
  async until<Value>(look: () => Promise<Value | undefined | false>, complaint: () => string): Promise<Value> {
    const end = performance.now() + PATIENCE_MS;
    let failure = '';
    while (performance.now() < end) {
      // the page may change or navigate while it is looked at
      const value = await look().catch((error: Error) => {
        failure = error.message;
        return undefined;
      });
      if (value) return value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const shown = await this.page.evaluate(() => document.body.innerText).catch(() => '');
    throw new Error(`${complaint()} at ${this.path} ${failure}\n${shown}\n${this.problems.join('\n')}`);
  }

  async click(role: string, name?: string, within?: Element): Promise<void> {
    await (await this.find(role, name, within)).click();
  }

  /** Replaces the text of a field by typing. */
  async fill(name: string, text: string, role = 'textbox'): Promise<void> {
    const field = await this.find(role, name);
    await field.focus();
    await field.evaluate((element) => (element as HTMLInputElement).select?.());
    await this.page.keyboard.press('Backspace');
    if (text !== '') await field.type(text);
  }

  /** Replaces the text of a code editor, as a paste does. */
  async replaceCode(name: string, text: string): Promise<void> {
    const { keyboard } = this.page;
    await (await this.find('textbox', name)).focus();
    await keyboard.down('Control');
    await keyboard.press('a');
    await keyboard.up('Control');
    await keyboard.sendCharacter(text);
  }

  /** Chooses the option with this text of a combobox. */
  async choose(name: string, option: string): Promise<void> {
    const field = await this.find('combobox', name);
    const value = await this.until(
      async () =>
        await field.evaluate(
          (element, text) =>
            Array.from((element as HTMLSelectElement).options).find((each) => each.text.trim() === text)?.value,
          option,
        ),
      () => `the combobox “${name}” has no option “${option}”`,
    );
    await field.select(value);
  }

  /** Sets a date field, whose keys depend on the language. */
  async date(name: string, value: string): Promise<void> {
    const field = await this.find('date', name);
    await field.evaluate((element, text) => {
      const input = element as HTMLInputElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    }, value);
  }

  async textOf(element: Element): Promise<string> {
    return await element.evaluate((found) => (found as HTMLElement).innerText.replace(/\s+/g, ' ').trim());
  }

  /** The text of the page as it is shown. */
  async text(): Promise<string> {
    return await this.page.evaluate(() => document.body.innerText.replace(/\s+/g, ' '));
  }

  /** Waits until nothing of the page loads any more. */
  async settled(): Promise<void> {
    await this.until(
      async () => !(await this.page.evaluate(() => document.querySelector('main [aria-busy="true"], .frame-waiting'))),
      () => 'the page never stopped loading',
    );
  }

  /** Waits until the editor shows the picture of its latest document, with the handles where that has its layers. */
  async drawn(): Promise<void> {
    await this.until(
      async () => await this.page.$('.stage-picture[aria-busy="false"]'),
      () => 'the picture never came',
    );
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  /** Waits until the page shows this text. */
  async sees(text: string): Promise<void> {
    await this.until(
      async () => (await this.text()).includes(text),
      () => `no “${text}” came`,
    );
  }

  /** Everything that the fields of the page contain. */
  async values(): Promise<string> {
    return await this.page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLInputElement>('input, textarea'), ({ value }) => value).join('\n'),
    );
  }

  /** Cells of a table's rows as text, without its head. */
  async rows(name: string): Promise<string[][]> {
    const table = await this.find('table', name);
    const rows = await table.evaluate((element) =>
      Array.from((element as HTMLTableElement).tBodies).flatMap((body) =>
        Array.from(body.rows, (row) => Array.from(row.cells, (cell) => cell.innerText.replace(/\s+/g, ' ').trim())),
      ),
    );
    // rows without text stand for rows that are loading
    return rows.filter((cells) => cells.some((text) => text !== ''));
  }

  /** Describes the focused element: roughly its role and name as a screen reader says them. */
  async focused(): Promise<string> {
    return await this.page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const label = element?.getAttribute('aria-label') ?? (element as HTMLInputElement | null)?.labels?.[0]?.innerText;
      return `${element?.localName} ${(label ?? (element as HTMLElement | null)?.innerText ?? '').trim()}`;
    });
  }

  /** Waits until the focus is on an element whose role and name `focused` writes like this. */
  async focuses(wanted: string | RegExp): Promise<void> {
    const isWanted = (text: string) => (typeof wanted === 'string' ? text === wanted : wanted.test(text));
    let last = '';
    await this.until(
      async () => {
        last = await this.focused();
        return isWanted(last);
      },
      () => `the focus is on “${last}”, not on ${wanted}`,
    );
  }

  /** Presses Tab until the focus is on an element whose role and name `focused` writes like this. */
  async tabTo(wanted: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let presses = 0; presses < 150; presses++) {
      if ((await this.focused()) === wanted) return;
      if (key === 'Shift+Tab') await this.page.keyboard.down('Shift');
      await this.page.keyboard.press('Tab');
      if (key === 'Shift+Tab') await this.page.keyboard.up('Shift');
    }
    throw new Error(`Tab never reaches “${wanted}” at ${this.path}; the focus is on “${await this.focused()}”`);
  }

  /**
   * Checks the state that the page is in: no violation of accessibility rules, light and dark; nothing to scroll sideways on
   * 320 px and at twice the size; and no problem so far. In Firefox, where most of it is the same, once a page.
   */
  async inspect(t: Test, state: string): Promise<void> {
    const { width, height } = this.page.viewport() ?? { width: 1280, height: 800 };
    if (this.#browser === 'firefox') {
      const { pathname } = new URL(this.page.url());
      if (this.#inspected === pathname) return;
      this.#inspected = pathname;
      t.same(await this.violations(), [], `${state}: accessible`);
      await this.resize(320, 640);
      t.same(await this.overflowing(), [], `${state}, 320 px: fits`);
    } else {
      for (const value of ['light', 'dark']) {
        await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        t.same(await this.violations(), [], `${state}, ${value}: accessible`);
      }
      // 1280 × 800 at 200 %
      await this.resize(640, 400, 2);
      t.same(await this.overflowing(), [], `${state}, at 200 %: fits`);
      await this.resize(320, 640);
      t.same(await this.overflowing(), [], `${state}, 320 px: fits`);
      t.same(await this.violations(), [], `${state}, 320 px: accessible`);
    }
    await this.resize(width, height);
    t.same(this.problems, [], `${state}: no error, and the policy is kept`);
  }

  /** Rules of accessibility that the page breaks, and where. */
  async violations(): Promise<string[]> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(AXE);
    return await this.page.evaluate(async () => {
      // transitions would show colours that are on their way
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
      const { violations } = await axe.run();
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
    });
  }

  /** The elements that make the page wider than its window. */
  async overflowing(): Promise<string[]> {
    return await this.page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = Array.from(document.body.querySelectorAll('*')).filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
      );
      return [`${scrollWidth} > ${clientWidth}`, ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
    });
  }

  /** Roles as this browser names them. Passwords and dates have none in the standard. */
  #roleOf(role: string, name: string | undefined): string {
    const isFirefox = this.#browser === 'firefox';
    if (role === 'date') return isFirefox ? '' : 'Date';
    if (role === 'img') return 'image';
    if (role === 'textbox' && /password/i.test(name ?? '') && isFirefox) return '';
    return role;
  }
}

function selectorOf(role: string, name: string | undefined): string {
  const quoted = name === undefined ? '' : `[name="${name.replaceAll('"', '\\"')}"]`;
  return `::-p-aria(${quoted}[role="${role}"])`;
}
