// The name of a family in its own font, drawn by the renderer.
import { useEffect, useRef, useState } from 'preact/hooks';
import { createThumbnailEngine, showPixels } from '../../../engine/engine.js';
import { createThumbnails, type Thumbnails } from '../../../engine/thumbnails.js';
import { engineOptions } from '../../../ui/thumbnail.js';

const WIDTH = 240;
const HEIGHT = 28;

let shared: { readonly workspaceId: string; readonly thumbnails: Thumbnails } | undefined;

/** Returns a separate engine, which draws no watermark over the names. */
function familyThumbnails(): Thumbnails | undefined {
  const options = engineOptions();
  if (!options) return undefined;
  const { workspaceId, maxLayers } = options;
  if (shared?.workspaceId !== workspaceId) {
    shared?.thumbnails.close();
    shared = { workspaceId, thumbnails: createThumbnails(createThumbnailEngine({ workspaceId, maxLayers })) };
  }
  return shared.thumbnails;
}

/** Draws black on transparent; the style sheet inverts it on dark pages. */
const payloadOf = (family: string) => ({
  canvas: { width: WIDTH, height: HEIGHT, scale: 2, backgroundColor: 'transparent' },
  layers: [
    {
      type: 'text',
      text: family,
      fontFamily: family,
      fontSize: 17,
      x: 0,
      y: 0,
      width: WIDTH,
      height: HEIGHT,
      verticalAlign: 'middle',
      maxLines: 1,
    },
  ],
});

export function FamilyPreview({ family }: { readonly family: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'waiting' | 'drawn' | 'failed'>('waiting');
  useEffect(() => {
    const element = canvas.current;
    const thumbnails = familyThumbnails();
    if (!element || !thumbnails) return;
    return thumbnails.request(
      element,
      { source: { payload: payloadOf(family) }, maxWidth: WIDTH * 2, maxHeight: HEIGHT * 2 },
      {
        drawn(thumbnail) {
          showPixels(element, thumbnail);
          setState('drawn');
        },
        failed: () => setState('failed'),
      },
    );
  }, [family]);
  return (
    <span class={`family-preview family-preview-${state}`}>
      <canvas ref={canvas} aria-hidden width={WIDTH * 2} height={HEIGHT * 2} />
      {state !== 'drawn' && <span>{family}</span>}
    </span>
  );
}
