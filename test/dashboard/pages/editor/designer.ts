// A designer at the editor, for tests: works with the mouse on the canvas, in pixels of the picture, and with the panels.
import type { KeyInput } from 'puppeteer-core';
import type { Visitor } from '../visitor.js';

type Point = readonly [x: number, y: number];

export class Designer {
  readonly visitor: Visitor;

  constructor(visitor: Visitor) {
    this.visitor = visitor;
  }

  /** Makes a template from **Blank**, from the page Templates, and opens it. Returns its id. */
  async begin(name: string, width: number, height: number): Promise<string> {
    const { visitor } = this;
    await visitor.goto('/dashboard/templates');
    await visitor.click('button', 'New template');
    await visitor.click('option', 'Blank');
    await visitor.fill('Name', name);
    await visitor.fill('Width', String(width), 'spinbutton');
    await visitor.fill('Height', String(height), 'spinbutton');
    await visitor.click('button', 'New template', await visitor.find('dialog', 'New template'));
    await this.seesPicture(width, height);
    return visitor.path.split('/').at(-1)!;
  }

  /** Opens a template of this size. */
  async open(templateId: string, width: number, height: number): Promise<void> {
    await this.visitor.goto(`/dashboard/templates/${templateId}`);
    await this.seesPicture(width, height);
  }

  private async seesPicture(width: number, height: number): Promise<void> {
    const { visitor } = this;
    await visitor.find('listbox', 'Layers');
    await this.sees(`Nothing selected`);
    await visitor.until(
      () =>
        visitor.page.$eval(
          '.stage-picture',
          (picture, [w, h]) => {
            const { width, height } = picture as HTMLCanvasElement;
            return width === w && height === h && getComputedStyle(picture).visibility === 'visible';
          },
          [width, height] as const,
        ),
      () => 'the canvas was never drawn',
    );
  }

  /** Returns the place of a point of the picture in the window. */
  async at([x, y]: Point): Promise<Point> {
    await this.visitor.drawn();
    return this.visitor.page.$eval(
      '.stage-picture',
      (picture, x, y) => {
        const { left, top, width } = picture.getBoundingClientRect();
        const zoom = width / (picture as HTMLCanvasElement).width;
        return [left + x * zoom, top + y * zoom] as const;
      },
      x,
      y,
    );
  }

  /** Drags with the keys held. */
  async drag(from: Point, to: Point, held: readonly KeyInput[] = []): Promise<void> {
    await this.dragInWindow(await this.at(from), await this.at(to), held);
  }

  private async dragInWindow(start: Point, end: Point, held: readonly KeyInput[]): Promise<void> {
    const { mouse, keyboard } = this.visitor.page;
    for (const key of held) await keyboard.down(key);
    await mouse.move(...start);
    await mouse.down();
    await mouse.move(...end, { steps: 5 });
    await mouse.up();
    for (const key of held) await keyboard.up(key);
  }

  /** Turns what is selected by degrees, about its middle, from beside the corner at the right below. */
  async turn(corner: Point, degrees: number): Promise<void> {
    const { x, y, width, height } = await this.box();
    const [centreX, centreY] = await this.at([x + width / 2, y + height / 2]);
    const [cornerX, cornerY] = await this.at(corner);
    const [dx, dy] = [cornerX + 12 - centreX, cornerY + 12 - centreY];
    const turn = (degrees * Math.PI) / 180;
    const end = [dx * Math.cos(turn) - dy * Math.sin(turn), dx * Math.sin(turn) + dy * Math.cos(turn)] as const;
    await this.dragInWindow([centreX + dx, centreY + dy], [centreX + end[0], centreY + end[1]], ['Shift']);
  }

  async click(at: Point): Promise<void> {
    await this.visitor.page.mouse.click(...(await this.at(at)));
  }

  /** Returns the selection as the canvas describes it: "Title, Text, x 40, y 40, 200 × 60". */
  async selection(): Promise<string> {
    return this.visitor.page.$eval('#canvas-selection', ({ textContent }) => textContent!.split('. Tab')[0]!);
  }

  /** Waits until this is selected. */
  async sees(selected: string | RegExp): Promise<void> {
    let last = '';
    await this.visitor.until(
      async () => {
        last = await this.selection();
        return typeof selected === 'string' ? last === selected : selected.test(last);
      },
      () => `expected ${selected} to be selected, and it is: ${last}`,
    );
  }

  /** The box that the fields of the panel and the canvas say. */
  async box(): Promise<{ x: number; y: number; width: number; height: number }> {
    await this.visitor.drawn();
    const [corner] = await this.visitor.page.$$eval('.overlay-outline', (outlines) =>
      outlines.map((outline) => outline.getBoundingClientRect().toJSON()),
    );
    const [left, top] = await this.at([0, 0]);
    const [right] = await this.at([1, 0]);
    const zoom = right - left;
    return {
      ...{ x: (corner.x - left) / zoom, y: (corner.y - top) / zoom },
      ...{ width: corner.width / zoom, height: corner.height / zoom },
    };
  }

  /** Types the value of a field of the panel. */
  async set(field: string, value: string | number, role = 'textbox'): Promise<void> {
    const { page } = this.visitor;
    const input = await this.visitor.find(role, field, await this.visitor.find('region', 'Panels'));
    await input.click({ count: 3 });
    await page.keyboard.type(String(value));
    if (await input.evaluate(({ localName }) => localName === 'input')) await page.keyboard.press('Enter');
  }

  /** Adds a layer with a button above the layers. What is selected next is `selected`. */
  async add(kind: string, selected: RegExp): Promise<void> {
    await this.visitor.click('button', `Add ${kind}`);
    await this.sees(selected);
  }

  /** Adds a text and types what it says. */
  async addText(text: string, selected = /^Text, Text/): Promise<void> {
    await this.add('text', selected);
    await this.set('Text', text);
    await this.sees(new RegExp(`^${text}, Text`));
  }

  async font(family: string): Promise<void> {
    const { visitor } = this;
    const panels = await visitor.find('region', 'Panels');
    await (await panels.waitForSelector('.prop-family'))!.click();
    await visitor.click('option', family);
    await visitor.gone('listbox', 'Fonts');
  }

  async menu(layer: string, item: string): Promise<void> {
    await (await this.visitor.find('option', layer)).click({ button: 'right' });
    await this.visitor.click('menuitem', item);
  }

  /** The JSON of the record, as its panel shows it: whole for short records. */
  async json(): Promise<string> {
    await this.visitor.click('tab', 'JSON');
    const field = await this.visitor.find('textbox', 'JSON');
    const text = await field.evaluate((element) => (element as HTMLElement).innerText);
    await this.visitor.click('tab', 'Properties');
    return text;
  }

  /** Presses keys such as `Control+d`. */
  async press(keys: string): Promise<void> {
    const { keyboard } = this.visitor.page;
    const parts = keys.split('+') as KeyInput[];
    const held = parts.slice(0, -1);
    for (const key of held) await keyboard.down(key);
    await keyboard.press(parts.at(-1)!);
    for (const key of held.toReversed()) await keyboard.up(key);
  }

  /** Replaces the text of the field that has the focus. */
  async type(text: string): Promise<void> {
    await this.press('Control+a');
    await this.visitor.page.keyboard.type(text);
    await this.press('Enter');
  }

  /** Goes to the canvas with Tab. */
  async focusCanvas(): Promise<void> {
    await this.visitor.tabTo('div Canvas');
  }
}
