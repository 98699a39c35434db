// Copies, cuts and pastes layers, their style, texts and picture files.
import { useEffect } from 'preact/hooks';
import { announce } from '../../app/announce.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { ACTIONS, moveStep, perform, wordsFor } from '../../document/actions.js';
import { layerAt } from '../../document/commands.js';
import { fieldsIn, spaceOf } from '../../document/coordinates.js';
import { isLayer, type NodeId, selectedNodes, walk } from '../../document/document.js';
import { type Json, withFields } from '../../document/json.js';
import { addText, topTarget } from '../add/add-layer.js';
import { besides, layersText, parseLayers } from './layers-text.js';
import { fieldsWithStyle, type LayerStyle, styleOf } from './style.js';

/** Uploads picture files and adds them as layers. */
export type AddFiles = (files: readonly File[]) => void;

export function useClipboard(editor: OpenEditor, addFiles?: AddFiles): void {
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'copy' | 'cut' | 'paste', act: (data: DataTransfer) => boolean) =>
      document.addEventListener(
        type,
        (event) => {
          if (!event.clipboardData || isElsewhere(event, editor) || !act(event.clipboardData)) return;
          event.preventDefault();
        },
        { signal: stop.signal },
      );
    listen('copy', (data) => copy(editor, data));
    if (editor.canEdit) {
      listen('cut', (data) => copy(editor, data) && perform(editor.store, editor.placements.value, ACTIONS.remove));
      listen('paste', (data) => paste(editor, data, addFiles));
    }
    document.addEventListener('keydown', (event) => onStyleKeys(event, editor), { signal: stop.signal });
    return () => stop.abort();
  }, [editor, addFiles]);
}

/** Whether the event concerns the text of a field, or selected text of the page. */
function isElsewhere(event: Event, { editedText }: OpenEditor): boolean {
  const target = event.composedPath()[0];
  const isField =
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
  const isSelection = event.type !== 'paste' && (getSelection()?.toString() ?? '') !== '';
  return isField || isSelection || editedText.value !== undefined || document.querySelector('dialog[open]') !== null;
}

/** Returns the layer with its place on the canvas, outside all groups. */
function onCanvas({ store, placements }: OpenEditor, id: NodeId): Json {
  const document = store.document.value;
  const to = { space: spaceOf(document, placements.value, undefined), hasLayout: false };
  return withFields(layerAt(document, id), fieldsIn(document, placements.value, id, to));
}

function copy(editor: OpenEditor, data: DataTransfer): boolean {
  const copied = selectedNodes(editor.store.document.value).filter(({ node }) => isLayer(node));
  if (copied.length === 0) return false;
  data.setData('text/plain', layersText(copied.map(({ node }) => onCanvas(editor, node.id))));
  announce(`Copied ${wordsFor(copied.map(({ node }) => node))}`);
  return true;
}

function paste(editor: OpenEditor, data: DataTransfer, addFiles: AddFiles | undefined): boolean {
  const pictures = [...data.files].filter(({ type }) => type.startsWith('image/'));
  if (pictures.length > 0 && addFiles) {
    addFiles(pictures);
    return true;
  }
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
  const layers = parseLayers(text);
  if (layers) pasteLayers(editor, layers);
  else if (text.trim() !== '') addText(editor, text.trim());
  return layers !== undefined || text.trim() !== '';
}

let pasted = 0;

/** Pastes layers on top of all layers, or above the selected layer of a group. */
function pasteLayers(editor: OpenEditor, copied: readonly Json[]): void {
  const { store, placements } = editor;
  const before = store.document.value;
  const there = [...walk(before)].map(({ node }) => onCanvas(editor, node.id));
  const layers = besides(there, copied);
  const label = layers.length === 1 ? 'Paste a layer' : `Paste ${layers.length} layers`;
  const options = { label, merge: `paste ${++pasted}` };
  const above = selectedNodes(before).at(-1);
  const parent = above?.ancestors.at(-1);
  store.dispatch({ type: 'insert', layers, ...topTarget(before) }, options);
  if (above && parent) {
    const { selection } = store.document.value;
    const target = { parent: parent.id, index: above.index + 1 };
    const step = moveStep(store.document.value, placements.value, selection, target);
    if (step) store.dispatch(step.command, options);
  }
  store.endStep();
}

/** The style that Ctrl+Alt+C copied last in this window. */
let copiedStyle: LayerStyle | undefined;

function onStyleKeys(event: KeyboardEvent, editor: OpenEditor): void {
  const { code, ctrlKey, metaKey, altKey } = event;
  if (!(ctrlKey || metaKey) || !altKey || isElsewhere(event, editor)) return;
  const document = editor.store.document.value;
  const selected = selectedNodes(document).filter(({ node }) => isLayer(node));
  const [first] = selected;
  if (!first) return;
  if (code === 'KeyC') {
    event.preventDefault();
    copiedStyle = styleOf(layerAt(document, first.node.id));
    announce(`Copied the style of ${wordsFor([first.node])}`);
  } else if (code === 'KeyV' && copiedStyle && editor.canEdit) {
    event.preventDefault();
    const style = copiedStyle;
    const changes = selected.map(({ node: { id } }) => ({ id, fields: fieldsWithStyle(style, layerAt(document, id)) }));
    const label = `Paste style to ${wordsFor(selected.map(({ node }) => node))}`;
    editor.store.dispatch({ type: 'change', changes }, { label });
  }
}
