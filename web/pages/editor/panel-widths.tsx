// The widths of the panels beside the canvas: people drag their edges, and the browser remembers them.
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { keepSetting, keptSetting } from '../../app/storage.js';

/** `json` takes the place of `right`, and needs more room. */
export type PanelSide = 'left' | 'right' | 'json';

interface Bounds {
  readonly label: string;
  readonly min: number;
  readonly standard: number;
  readonly max: number;
  /** 1 if dragging to the right makes the panel wider. */
  readonly direction: 1 | -1;
}

/** Widths in pixels. */
const BOUNDS: Readonly<Record<PanelSide, Bounds>> = {
  left: { label: 'Width of the layers', min: 180, standard: 240, max: 480, direction: 1 },
  right: { label: 'Width of the panels', min: 300, standard: 360, max: 720, direction: -1 },
  json: { label: 'Width of the JSON', min: 300, standard: 576, max: 1000, direction: -1 },
};

const SETTING = 'editor.panels';
/** Pixels by which arrow keys move an edge. */
const STEP = 16;

type Widths = Readonly<Record<PanelSide, number>>;

function keptWidths(): Widths {
  const [left, right, json] = (keptSetting(SETTING) ?? '').split(' ').map(Number);
  return { left: within('left', left), right: within('right', right), json: within('json', json) };
}

function within(side: PanelSide, width: number | undefined): number {
  const { min, standard, max } = BOUNDS[side];
  return width ? Math.round(Math.min(max, Math.max(min, width))) : standard;
}

export const panelWidths = signal<Widths>(keptWidths());

function setWidth(side: PanelSide, width: number | undefined): void {
  panelWidths.value = { ...panelWidths.peek(), [side]: within(side, width) };
  const { left, right, json } = panelWidths.value;
  keepSetting(SETTING, `${left} ${right} ${json}`);
}

/** The edge of a panel, which can be dragged, or moved with arrow keys; a double click restores the default width. */
export function PanelEdge({ side }: { readonly side: PanelSide }) {
  const { label, min, max, direction } = BOUNDS[side];
  const width = panelWidths.value[side];
  const start = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowRight: width + STEP * direction, ArrowLeft: width - STEP * direction, Home: min, End: max }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    setWidth(side, next);
  };
  return (
    <div
      class="panel-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={width}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDblClick={() => setWidth(side, undefined)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={({ clientX }) => {
        if (start.current) setWidth(side, start.current.width + (clientX - start.current.x) * direction);
      }}
      onPointerUp={() => {
        start.current = undefined;
      }}
      onPointerCancel={() => {
        start.current = undefined;
      }}
    />
  );
}
