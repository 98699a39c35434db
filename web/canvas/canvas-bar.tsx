// The bar below the canvas with the buttons for aligning, distributing and zooming.
import { IconButton } from '../ui/button.js';
import type { IconName } from '../ui/icon.js';
import { align, canAlign, canDistribute, distribute } from './align.js';
import type { CanvasState } from './canvas-state.js';
import type { Alignment } from './geometry/align.js';
import { nextZoom } from './geometry/viewport.js';

const ALIGN: readonly { readonly alignment: Alignment; readonly label: string; readonly icon: IconName }[] = [
  { alignment: 'left', label: 'Align left', icon: 'alignLeft' },
  { alignment: 'centre', label: 'Align centre', icon: 'alignCentre' },
  { alignment: 'right', label: 'Align right', icon: 'alignRight' },
  { alignment: 'top', label: 'Align top', icon: 'alignTop' },
  { alignment: 'middle', label: 'Align middle', icon: 'alignMiddle' },
  { alignment: 'bottom', label: 'Align bottom', icon: 'alignBottom' },
];

export function CanvasBar({ state }: { readonly state: CanvasState }) {
  const { viewport, editor } = state;
  const { zoom } = viewport.value;
  return (
    // a click leaves the focus on the canvas, for its keys
    <div class="canvas-bar" onMouseDown={(event) => event.preventDefault()}>
      {editor.canEdit && (
        <div class="canvas-bar-group" role="group" aria-label="Align and distribute">
          {ALIGN.map(({ alignment, label, icon }) => (
            <IconButton
              key={alignment}
              icon={icon}
              size="small"
              label={label}
              disabled={!canAlign(state)}
              onClick={() => align(state, alignment)}
            />
          ))}
          <IconButton
            icon="distributeHorizontally"
            size="small"
            label="Distribute horizontally"
            disabled={!canDistribute(state)}
            onClick={() => distribute(state, 'x')}
          />
          <IconButton
            icon="distributeVertically"
            size="small"
            label="Distribute vertically"
            disabled={!canDistribute(state)}
            onClick={() => distribute(state, 'y')}
          />
        </div>
      )}
      <div class="canvas-bar-group canvas-bar-zoom" role="group" aria-label="Zoom">
        <IconButton icon="minus" size="small" label="Zoom out" onClick={() => state.zoomTo(nextZoom(zoom, -1))} />
        <output class="canvas-zoom" aria-label="Zoom level">
          {Math.round(zoom * 100)} %
        </output>
        <IconButton icon="plus" size="small" label="Zoom in" onClick={() => state.zoomTo(nextZoom(zoom, 1))} />
        <button
          type="button"
          class="button button-quiet button-small"
          title="Fit (Shift+1)"
          onClick={() => state.fit()}
        >
          Fit
        </button>
        <button
          type="button"
          class="button button-quiet button-small"
          title="100 % (Shift+0)"
          onClick={() => state.zoomTo(1)}
        >
          100 %
        </button>
      </div>
    </div>
  );
}
