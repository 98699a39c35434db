// Adds layers to the open document: on top, or into the selected group.
import { canvasOf } from '../../canvas/canvas-state.js';
import { toCanvas } from '../../canvas/geometry/viewport.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { canvasSize, type Target } from '../../document/commands.js';
import { hasLayout, placementOf } from '../../document/coordinates.js';
import { selectedNodes } from '../../document/document.js';
import { type Json, textOf } from '../../document/json.js';
import { type Area, groundAt, KINDS, type KindName, type NewLayerOptions, newLayer, textLayer } from './new-layers.js';

interface Place {
  readonly target: Target;
  readonly options: NewLayerOptions;
}

/** Finds the place for new layers. */
function placeForNew(editor: OpenEditor): Place {
  const { store, placements } = editor;
  const document = store.document.value;
  const area = { x: 0, y: 0, ...canvasSize(document) };
  const visible = visibleArea(editor, area);
  const middle = [visible.x + visible.width / 2, visible.y + visible.height / 2] as const;
  const ground = groundAt(document, middle, readColor);
  const selected = selectedNodes(document);
  const group = selected.length === 1 ? selected[0]!.node : undefined;
  if (group?.raw.type !== 'group') {
    return { target: topTarget(document), options: { area, visible, ground } };
  }
  const [, , width, height] = placementOf(document, placements.value, group.id).box;
  const fill = readColor(textOf(group.raw.backgroundColor) ?? '');
  const options = { area: { x: 0, y: 0, width, height }, ground: fill ?? ground, isLaidOut: hasLayout(group.raw) };
  return { target: { parent: group.id }, options };
}

/** Returns the part of the canvas that is on screen; the whole canvas if none is. */
function visibleArea(editor: OpenEditor, { width, height }: Area): Area {
  const { viewport, stage } = canvasOf(editor);
  const corner = toCanvas(viewport.value, { x: 0, y: 0 });
  const end = toCanvas(viewport.value, { x: stage.value.width, y: stage.value.height });
  const [left, top] = [Math.max(0, corner.x), Math.max(0, corner.y)];
  const [right, bottom] = [Math.min(width, end.x), Math.min(height, end.y)];
  const isShown = right > left && bottom > top;
  return isShown ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width, height };
}

/** The target on top of all layers. */
export const topTarget = ({ hotspots }: { readonly hotspots: readonly unknown[] }): Target =>
  hotspots.length > 0 ? { list: 'hotspots' } : {};

/** Adds a layer of the kind and selects it; a text can be edited at once. */
export function addLayer(editor: OpenEditor, kind: KindName): void {
  const { target, options } = placeForNew(editor);
  insert(editor, newLayer(kind, options), target);
  editor.editedText.value = kind === 'text' ? editor.store.document.value.selection[0] : undefined;
}

/** Adds a text layer with the pasted text. */
export function addText(editor: OpenEditor, text: string): void {
  const { target, options } = placeForNew(editor);
  insert(editor, textLayer(text, options), target);
}

function insert({ store }: OpenEditor, layer: Json, target: Target): void {
  store.dispatch({ type: 'insert', layers: [layer], ...target }, { label: `Add ${layerWords(layer)}` });
}

const layerWords = ({ type }: Json): string => lowercased(KINDS[String(type) as KindName]?.name ?? 'shape');

/** Writes a name for use within a sentence: "rectangle", but "QR code". */
export const lowercased = (name: string): string => name.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** A colour that nobody uses, to recognise text that the browser rejects. */
const UNSET = '#010203';

/** Reads a CSS colour with the browser's parser. */
function readColor(color: string): string | undefined {
  const context = document.createElement('canvas').getContext('2d');
  if (!context || color === '') return undefined;
  context.fillStyle = UNSET;
  context.fillStyle = color;
  const read = String(context.fillStyle);
  return /^#[0-9a-f]{6}$/.test(read) && read !== UNSET ? read : undefined;
}
