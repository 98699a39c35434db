// Handles dropped, pasted and chosen files: pictures and fonts become assets, pictures also become layers, and tables fill the
// panel Variables.
import type { AssetAnswer } from '../../../lib/contract/api/assets.js';
import { toast } from '../../app/announce.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { canvasSize } from '../../document/commands.js';
import { nameOf, selectedNodes } from '../../document/document.js';
import { topTarget } from '../add/add-layer.js';
import { isRowsFile, openRows } from '../variables/state.js';
import { assetUrl, isAssetFile, nameOfFile, pictureLayer } from './asset-layers.js';
import { uploadFiles } from './uploads.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels between the layers of files that were dropped together. */
const OFFSET = 20;

/** Uploads pictures and fonts. Pictures become layers at the given point of the canvas, or in its middle. */
export async function addFiles(editor: OpenEditor, files: readonly File[], at?: Point): Promise<void> {
  const rows = files.find(isRowsFile);
  if (rows) {
    editor.panel.value = 'variables';
    void openRows(editor, rows);
  }
  const assets = files.filter(isAssetFile);
  for (const file of files) {
    if (file !== rows && !assets.includes(file)) toast(`${file.name} is neither a picture nor a font`);
  }
  if (!editor.canEdit || assets.length === 0) return;
  const added = await uploadFiles(assets);
  const { store } = editor;
  const document = store.document.peek();
  const canvas = canvasSize(document);
  const pictures = added.filter(({ asset }) => asset.kind === 'image');
  const layers = pictures.map(({ asset, file }, index) => {
    const moved = at && { x: at.x + index * OFFSET, y: at.y + index * OFFSET };
    return pictureLayer(asset, nameOfFile(file.name), canvas, moved);
  });
  if (layers.length > 0) {
    const label = layers.length === 1 ? `Add picture ${layers[0]!.name}` : `Add ${layers.length} pictures`;
    store.dispatch({ type: 'insert', layers, ...topTarget(document) }, { label });
  }
  for (const { asset } of added) if (asset.kind === 'font') setFont(editor, asset);
  // a text may name a font that was missing before
  editor.preview.redraw();
}

/** Sets the font of the selected texts. */
function setFont({ store }: OpenEditor, { family }: AssetAnswer): void {
  const texts = selectedNodes(store.document.peek()).filter(({ node }) => node.raw.type === 'text');
  if (texts.length === 0 || family === undefined) return;
  const ids = texts.map(({ node }) => node.id);
  store.dispatch({ type: 'set', ids, path: ['fontFamily'], value: family }, { label: `Change font to ${family}` });
}

/**
 * Uses an asset of the library: sets a font in the selected texts, or a picture in the selected image layers. If none is
 * selected, a picture becomes a layer.
 */
export function applyAsset(editor: OpenEditor, asset: AssetAnswer): void {
  if (asset.kind === 'font') {
    setFont(editor, asset);
    return;
  }
  const { store } = editor;
  const document = store.document.peek();
  const images = selectedNodes(document).filter(({ node }) => node.raw.type === 'image');
  if (images.length > 0) {
    const ids = images.map(({ node }) => node.id);
    const label = images.length === 1 ? `Change picture of ${nameOf(images[0]!.node)}` : 'Change pictures';
    store.dispatch({ type: 'set', ids, path: ['url'], value: assetUrl(asset) }, { label });
    return;
  }
  insertPicture(editor, asset);
}

/** Adds a layer with a picture of the library. */
export function insertPicture({ store }: OpenEditor, asset: AssetAnswer, at?: Point): void {
  const document = store.document.peek();
  const layers = [pictureLayer(asset, undefined, canvasSize(document), at)];
  store.dispatch({ type: 'insert', layers, ...topTarget(document) }, { label: 'Add picture' });
}
