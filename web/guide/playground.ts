// The playground: draws the payload in the text area with the engine, in a worker of this page. It fetches fonts and modules
// only from this site.
import changelog from '../../examples/changelog.json';
import chart from '../../examples/chart.json';
import eventPoster from '../../examples/event-poster.json';
import festival from '../../examples/festival.json';
import languages from '../../examples/languages.json';
import priceLabel from '../../examples/price-label.json';
import pricing from '../../examples/pricing.json';
import quote from '../../examples/quote.json';
import recipe from '../../examples/recipe.json';
import { firstSyntaxError } from '../../lib/contract/json/parse.js';
import type { Payload } from '../../lib/contract/payload.js';
import { RenderError } from '../../lib/errors.js';
import { createWorkerRenderer } from '../../lib/web-worker/client.js';
import { lineAt, positionOf } from './locate.js';

const HELLO = {
  canvas: { width: 600, height: 315, backgroundColor: '#14213d' },
  layers: [
    { type: 'shape', shapeType: 'circle', x: 380, y: -80, width: 320, height: 320, fillColor: '#fca311' },
    {
      type: 'text',
      text: 'Hello from JSON',
      x: 40,
      y: 40,
      width: 330,
      height: 235,
      fontFamily: 'Poppins',
      fontWeight: 'bold',
      fontSize: 64,
      lineHeight: 1.1,
      color: '#ffffff',
      verticalAlign: 'bottom',
      autoFit: true,
    },
  ],
};

/** The examples without pictures, because the site doesn't have them. */
const EXAMPLES: readonly (readonly [name: string, payload: unknown])[] = [
  ['Hello', HELLO],
  ['Quote', quote],
  ['Event poster', eventPoster],
  ['Festival', festival],
  ['Languages', languages],
  ['Price label', priceLabel],
  ['Changelog', changelog],
  ['Price table', pricing],
  ['Recipe', recipe],
  ['Chart', chart],
];

/** Milliseconds without a key after which the payload is drawn. */
const QUIET_MS = 120;

const find = <Found extends Element>(selector: string): Found => document.querySelector<Found>(selector)!;
const example = find<HTMLSelectElement>('#example');
const editor = find<HTMLTextAreaElement>('#payload');
const canvas = find<HTMLCanvasElement>('#picture');
const state = find<HTMLElement>('#state');
const problems = find<HTMLElement>('#problems');

const renderer = createWorkerRenderer({
  workerUrl: 'engine/worker.js',
  fontsUrl: 'fonts/',
  wasmUrl: 'wasm/',
});

interface Problem {
  readonly isError: boolean;
  readonly message: string;
  /** Path such as `layers[2].url`; empty for the whole payload. */
  readonly path: string;
  /** Offset in the text. */
  readonly position: number;
}

/** Parses the text; returns undefined and shows the error if it is invalid JSON. */
function parsed(text: string): { readonly payload: Payload } | undefined {
  try {
    return { payload: JSON.parse(text) };
  } catch {
    const { position, message } = firstSyntaxError(text);
    show('The text is not JSON; the picture is of an earlier one.', [{ isError: true, message, path: '', position }]);
    return undefined;
  }
}

type Message = Pick<Problem, 'path' | 'message'>;

const problemsOf = (text: string, messages: readonly Message[], isError: boolean): Problem[] =>
  messages.map(({ path, message }) => ({ isError, path, message, position: positionOf(text, path) }));

function faultsOf(text: string, error: Error): Problem[] {
  const details = error instanceof RenderError ? error.details : [];
  return problemsOf(text, details.length > 0 ? details : [{ path: '', message: error.message }], true);
}

let latest = 0;

async function draw(): Promise<void> {
  const own = ++latest;
  const text = editor.value;
  const source = parsed(text);
  if (!source) return;
  try {
    const began = performance.now();
    const { data, width, height, warnings } = await renderer.renderToPixels(source.payload);
    const durationMs = performance.now() - began;
    if (own !== latest) return;
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d')?.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width), 0, 0);
    const found = problemsOf(text, warnings, false);
    show(`${width} × ${height} pixels, drawn in ${Math.round(durationMs)} ms`, found);
  } catch (error) {
    // a later payload replaced this one
    if (own !== latest || (error as Error).name === 'AbortError') return;
    show('This payload can’t be drawn; the picture is of an earlier one.', faultsOf(text, error as Error));
  }
}

function show(text: string, found: readonly Problem[]): void {
  state.textContent = text;
  problems.replaceChildren(
    ...found.map(({ isError, path, message, position }) => {
      const line = lineAt(editor.value, position);
      const place = document.createElement('button');
      place.type = 'button';
      place.textContent = `Line ${line}`;
      place.addEventListener('click', () => select(position));
      const item = document.createElement('li');
      item.className = isError ? 'error' : 'warning';
      item.append(place, ` ${isError ? 'Error' : 'Warning'}: ${path ? `${path}: ` : ''}${message}`);
      return item;
    }),
  );
}

/** Selects the line of a position, and scrolls there. */
function select(position: number): void {
  const text = editor.value;
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const end = text.indexOf('\n', position);
  editor.focus();
  editor.setSelectionRange(start, end < 0 ? text.length : end);
  const lines = text.split('\n').length;
  editor.scrollTop = (editor.scrollHeight * (lineAt(text, position) - 1)) / lines - editor.clientHeight / 2;
}

let timer: ReturnType<typeof setTimeout> | undefined;
editor.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => void draw(), QUIET_MS);
});
example.append(...EXAMPLES.map(([name]) => new Option(name)));
example.addEventListener('change', () => choose(example.selectedIndex));

function choose(index: number): void {
  editor.value = JSON.stringify(EXAMPLES[index]![1], null, 2);
  editor.scrollTop = 0;
  void draw();
}

/** Saves the picture as a file. The list of problems says why there is none. */
async function save(format: 'png' | 'svg' | 'pdf'): Promise<void> {
  const text = editor.value;
  const source = parsed(text);
  if (!source) return;
  const own = ++latest;
  state.textContent = `Making the ${format.toUpperCase()} …`;
  try {
    const { bytes, mimeType, warnings } = await renderer.render(source.payload, { format });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mimeType }));
    link.download = `picture.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    const size = `${Math.ceil(bytes.length / 1000)} KB`;
    if (own === latest) show(`${link.download}, ${size}`, problemsOf(text, warnings, false));
  } catch (error) {
    if (own === latest) show(`There is no ${format.toUpperCase()} of this payload.`, faultsOf(text, error as Error));
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-format]')) {
  button.addEventListener('click', () => void save(button.dataset.format as 'png' | 'svg' | 'pdf'));
}

find<HTMLElement>('.playground').hidden = false;
choose(0);
