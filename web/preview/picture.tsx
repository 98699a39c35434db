// Shows the preview image and the time that it took to draw.
import { formatDuration } from '../app/format.js';
import type { PictureStage } from '../engine/messages.js';
import { Badge } from '../ui/badge.js';
import type { LivePreview } from './live-preview.js';

const STAGES: readonly { readonly id: PictureStage; readonly name: string }[] = [
  { id: 'check', name: 'Check' },
  { id: 'load', name: 'Load' },
  { id: 'layout', name: 'Layout' },
  { id: 'paint', name: 'Paint' },
];

export function PreviewPicture({ preview }: { readonly preview: LivePreview }) {
  const picture = preview.latestPicture.value;
  return (
    <figure class="preview">
      <div class="preview-stage">
        <canvas
          ref={preview.attach}
          class={picture ? 'preview-canvas' : 'preview-canvas preview-canvas-empty'}
          role="img"
          aria-label="Preview"
          width={1200}
          height={630}
        />
      </div>
      <figcaption class="preview-caption">
        <span class="preview-size">{picture ? `${picture.width} × ${picture.height} px` : '\u00a0'}</span>
        {preview.isStale.value && <Badge kind="warning">{picture ? 'Last good picture' : 'No picture yet'}</Badge>}
      </figcaption>
    </figure>
  );
}

export function Timings({ preview }: { readonly preview: LivePreview }) {
  const timings = preview.latestPicture.value?.timings;
  const times = STAGES.map(({ id, name }) => ({ name, ms: timings?.[id] }));
  const total = times.reduce((sum, { ms = 0 }) => sum + ms, 0);
  return (
    <dl class="figures" aria-label="Timings">
      {[...times, { name: 'Total', ms: timings && total }].map(({ name, ms }) => (
        <div key={name} class="figure">
          <dt>{name}</dt>
          <dd>{ms === undefined ? '–' : formatDuration(ms)}</dd>
        </div>
      ))}
    </dl>
  );
}
