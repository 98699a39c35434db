// Shows how two pictures differ: the number of pixels, and a picture of them.
import { useEffect, useRef } from 'preact/hooks';
import type { PixelDifference } from '../../lib/templates/pixel-diff.js';
import { formatCount, formatNumber } from '../app/format.js';
import { showPixels } from '../engine/engine.js';
import type { Pixels } from '../engine/messages.js';

/** Shows pixels as an image with this name. */
export function PixelImage({ pixels, label }: { readonly pixels: Pixels; readonly label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) showPixels(canvas.current, pixels);
  }, [pixels]);
  return <canvas ref={canvas} class="pixel-image" role="img" aria-label={label} />;
}

/** Describes the difference in words, and shows the pixels in red. */
export function Difference({ difference }: { readonly difference: PixelDifference }) {
  return (
    <>
      <p>{describe(difference)}</p>
      <PixelImage pixels={difference as Pixels} label="Where they differ" />
    </>
  );
}

function describe({ differing, width, height }: PixelDifference): string {
  const share = (100 * differing) / (width * height);
  return `${formatCount(differing, 'pixel')} of ${formatNumber(width * height)} (${share.toFixed(share < 1 ? 2 : 0)} %) differ, in red:`;
}
