// Small pictures of templates, drawn by the engine when they come near the screen.
import { useEffect, useRef, useState } from 'preact/hooks';
import { session, workspace } from '../app/session.js';
import { createThumbnailEngine, type EngineOptions, showPixels } from '../engine/engine.js';
import type { Warning } from '../engine/messages.js';
import { createThumbnails, type ThumbnailRequest, type Thumbnails } from '../engine/thumbnails.js';
import { Icon } from './icon.js';

/** Size in pixels: twice the displayed size, for high-density screens. */
const ROOM = {
  card: { maxWidth: 720, maxHeight: 540 },
  small: { maxWidth: 240, maxHeight: 180 },
} as const;

/** The engine's options for the chosen workspace; undefined until it is known. */
export function engineOptions(): EngineOptions | undefined {
  if (!session.value || !workspace.value) return undefined;
  const { watermark, maxLayers } = session.value;
  const { id, plan } = workspace.value;
  return { workspaceId: id, maxLayers, ...(plan === 'free' && { watermark }) };
}

let shared: { readonly name: string; readonly thumbnails: Thumbnails } | undefined;

/** Returns the chosen workspace's thumbnails, which all pages share together with the pictures. */
function sharedThumbnails(options: EngineOptions): Thumbnails {
  const name = JSON.stringify(options);
  if (shared?.name === name) return shared.thumbnails;
  shared?.thumbnails.close();
  const thumbnails = createThumbnails(createThumbnailEngine(options));
  shared = { name, thumbnails };
  return thumbnails;
}

export interface ThumbnailProps {
  readonly source: ThumbnailRequest['source'];
  /** Accessible name; without it the picture is decoration beside a text that says the same. */
  readonly label?: string;
  readonly size?: keyof typeof ROOM;
  /** A unique name for the picture, for large sources. */
  readonly name?: string;
  /** Called with the picture's warnings once it is drawn. */
  readonly onDrawn?: (warnings: readonly Warning[]) => void;
  readonly onFailed?: (problem: string) => void;
}

/** Fills its parent, which needs a position and a size. */
export function Thumbnail({ source, label, size = 'card', name, onDrawn, onFailed }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'waiting' | 'drawn' | 'failed'>('waiting');
  const [problem, setProblem] = useState('');
  const options = engineOptions();
  const key = JSON.stringify([name ?? source, options, size]);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !options) return;
    setState('waiting');
    return sharedThumbnails(options).request(
      element,
      { source, name, ...ROOM[size] },
      {
        drawn(thumbnail) {
          showPixels(element, thumbnail);
          setState('drawn');
          onDrawn?.(thumbnail.warnings);
        },
        failed({ message }) {
          setProblem(message);
          setState('failed');
          onFailed?.(message);
        },
      },
    );
  }, [key]);
  const image = label === undefined ? { 'aria-hidden': true } : ({ role: 'img', 'aria-label': label } as const);
  return (
    <span class={`thumbnail thumbnail-${state}`}>
      <canvas ref={canvas} {...image} />
      {state === 'failed' &&
        (size === 'small' ? <Icon name="image" /> : <span class="thumbnail-problem">Can’t be drawn: {problem}</span>)}
    </span>
  );
}
