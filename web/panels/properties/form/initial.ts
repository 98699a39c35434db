// Initial values of added fields that should have a visible effect, beyond what the schema requires.
import { hasLayout } from '../../../document/coordinates.js';
import type { Json } from '../../../document/json.js';
import { type Control, initialValue } from './controls.js';

const LINE = { color: '#000000', width: 2 };

const INITIAL: Readonly<Record<string, unknown>> = {
  each: { in: '{{= items }}' },
  when: '{{= true }}',
  shadow: { color: 'rgba(0, 0, 0, 0.25)', offsetX: 0, offsetY: 4, blur: 12 },
  border: LINE,
  borderTop: LINE,
  borderRight: LINE,
  borderBottom: LINE,
  borderLeft: LINE,
  stroke: LINE,
  logo: { url: '', size: 0.2 },
  crop: { x: 0, y: 0, width: 100, height: 100 },
  viewBox: [0, 0, 100, 100],
  dash: [8, 4],
  spans: [{ text: 'Text' }],
  columns: [{ header: 'Column', field: 'column' }],
  rules: { horizontal: { color: 'rgba(0, 0, 0, 0.2)', width: 1 } },
  horizontal: { color: 'rgba(0, 0, 0, 0.2)', width: 1 },
  vertical: { color: 'rgba(0, 0, 0, 0.2)', width: 1 },
  outer: { color: 'rgba(0, 0, 0, 0.2)', width: 1 },
  stripe: 'rgba(0, 0, 0, 0.05)',
  strong: { fontWeight: 'bold' },
  em: { fontStyle: 'italic' },
  del: { textDecoration: 'line-through' },
  mark: { backgroundColor: '#ffe066' },
};

const POLYGON = [
  [50, 0],
  [100, 100],
  [0, 100],
];

export function initialOf(name: string, control: Control, layer: Json = {}): unknown {
  if (name === 'points') return control.kind === 'list' ? POLYGON : 5;
  // the present text becomes the first span
  if (name === 'spans' && typeof layer.text === 'string' && layer.text !== '') return [{ text: layer.text }];
  return Object.hasOwn(INITIAL, name) ? INITIAL[name] : initialValue(control);
}

/** Padding in pixels. */
const LAYOUT_PADDING = 16;

/** Returns the fields that a choice sets besides its own: a group that gets a layout also gets padding, unless it has some. */
export function fieldsWithChoice(name: string, before: unknown, next: string | undefined, padding: unknown): Json {
  const isNewLayout = name === 'layout' && !hasLayout({ layout: before }) && hasLayout({ layout: next });
  return isNewLayout && padding === undefined ? { padding: LAYOUT_PADDING } : {};
}
