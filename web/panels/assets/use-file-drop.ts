// Handles files dropped anywhere on the editor, and pictures of the library dropped on the canvas.
import { useEffect, useState } from 'preact/hooks';
import type { AssetAnswer } from '../../../lib/contract/api/assets.js';
import { toast } from '../../app/announce.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { canvasSize } from '../../document/commands.js';

/** Media type of an asset that is dragged from the library to the canvas. */
export const ASSET_DRAG = 'application/x-platen-asset';

type AddFiles = typeof import('./add-files.js');

/** Loads the code for files when the first file arrives. */
export const loadAddFiles = (): Promise<AddFiles> => import('./add-files.js');

export function withAddFiles(use: (module: AddFiles) => void): void {
  loadAddFiles().then(use, () => toast('This part of the page could not be loaded. Try again.'));
}

/** Whether something that can be dropped is over the page. */
export function useFileDrop(editor: OpenEditor): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      document.addEventListener(type, act, { signal: stop.signal });
    listen('dragover', (event) => {
      const types = event.dataTransfer?.types ?? [];
      const isAsset = types.includes(ASSET_DRAG) && isOnCanvas(event);
      if (event.defaultPrevented || !(types.includes('Files') || isAsset)) return;
      event.preventDefault();
      setOver(true);
    });
    listen('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false);
    });
    listen('drop', (event) => {
      setOver(false);
      const { dataTransfer } = event;
      if (event.defaultPrevented || !dataTransfer || document.querySelector('dialog[open]')) return;
      const asset = dataTransfer.getData(ASSET_DRAG);
      if (asset === '' && dataTransfer.files.length === 0) return;
      event.preventDefault();
      const at = pointOnCanvas(event, editor);
      // the files are gone after the event
      const files = [...dataTransfer.files];
      withAddFiles(({ addFiles, insertPicture }) => {
        if (asset !== '') insertPicture(editor, JSON.parse(asset) as AssetAnswer, at);
        else void addFiles(editor, files, at);
      });
    });
    return () => stop.abort();
  }, [editor]);
  return isOver;
}

const isOnCanvas = ({ target }: DragEvent): boolean => (target as Element | null)?.closest('.canvas, .stage') != null;

/** Converts a point of the window to one of the picture; undefined beside the canvas. */
function pointOnCanvas(event: DragEvent, { store }: OpenEditor) {
  const picture = document.querySelector('.stage-picture');
  if (!picture || !isOnCanvas(event)) return undefined;
  const { left, top, width } = picture.getBoundingClientRect();
  const zoom = width / canvasSize(store.document.peek()).width;
  return { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
}
