// The overlay on the picture: outlines and handles of the selection, snap lines, distances, the marquee, the pixel grid.
import type { ComponentChildren } from 'preact';
import { canvasSize } from '../document/commands.js';
import { selectedNodes } from '../document/document.js';
import { type CanvasState, type Feedback, outlineOf } from './canvas-state.js';
import { cornersOf, type Point } from './geometry/frames.js';
import type { Quad } from './geometry/handles.js';
import type { Gap, SnapLine } from './geometry/snap.js';
import { PIXEL_GRID_ZOOM, toStage } from './geometry/viewport.js';

/** Size of a handle, and distance from an object to its label, in pixels. */
const HANDLE = 8;
const LABEL_GAP = 10;
const LABEL_HEIGHT = 18;
/** Approximate width of a character of a label. */
const CHARACTER = 6.6;

export function Overlay({ state }: { readonly state: CanvasState }) {
  const { stage, viewport, frames, feedback, hovered, quad, editor } = state;
  const { width, height } = stage.value;
  const document = editor.store.document.value;
  const current = feedback.value;
  const on = (point: Point) => toStage(viewport.value, point);
  const path = (points: readonly Point[]) =>
    points
      .map(on)
      .map(({ x, y }) => `${x},${y}`)
      .join(' ');
  const selected = selectedNodes(document).flatMap(({ node }) => frames.value.get(node.id) ?? []);
  const hover = hovered.value === undefined ? undefined : frames.value.get(hovered.value);
  const isEditingText = editor.editedText.value !== undefined;
  return (
    <svg class="overlay" width={width} height={height} aria-hidden="true" focusable="false">
      {viewport.value.zoom >= PIXEL_GRID_ZOOM && <PixelGrid state={state} />}
      {hover && !current && <polygon class="overlay-hover" points={path(cornersOf(hover))} />}
      {selected.length > 1 &&
        selected.map((frame) => <polygon key={frame.id} class="overlay-part" points={path(cornersOf(frame))} />)}
      {selected.length > 0 && <polygon class="overlay-outline" points={path(outlineOf(selected)!)} />}
      {quad.value && editor.canEdit && !isEditingText && !isMoving(current) && <Handles quad={quad.value} />}
      {current && <FeedbackMarks feedback={current} on={on} path={path} />}
      {current?.size !== undefined && quad.value && (
        <Label x={middleOf(quad.value)} y={Math.max(...quad.value.map(({ y }) => y)) + LABEL_GAP} text={current.size} />
      )}
    </svg>
  );
}

/** Whether layers are moving: then handles would only be in the way. */
const isMoving = (feedback: Feedback | undefined): boolean =>
  feedback !== undefined &&
  (feedback.lines !== undefined || feedback.ghosts !== undefined) &&
  feedback.size === undefined;

function middleOf(quad: Quad): number {
  const xs = quad.map(({ x }) => x);
  return (Math.min(...xs) + Math.max(...xs)) / 2;
}

function Handles({ quad }: { readonly quad: Quad }) {
  const angle = (Math.atan2(quad[1].y - quad[0].y, quad[1].x - quad[0].x) * 180) / Math.PI;
  return (
    <g class="overlay-handles">
      {quad.map(({ x, y }, i) => (
        <rect
          key={i}
          x={x - HANDLE / 2}
          y={y - HANDLE / 2}
          width={HANDLE}
          height={HANDLE}
          transform={`rotate(${angle} ${x} ${y})`}
        />
      ))}
    </g>
  );
}

interface FeedbackProps {
  readonly feedback: Feedback;
  readonly on: (point: Point) => Point;
  readonly path: (points: readonly Point[]) => string;
}

function FeedbackMarks({ feedback, on, path }: FeedbackProps) {
  const { lines = [], gaps = [], marquee, insertion, ghosts = [], tip } = feedback;
  const [from, to] = marquee ? [on(marquee[0]), on(marquee[1])] : [];
  const at = tip && on(tip.at);
  return (
    <>
      {lines.map((line) => (
        <SnapMark key={`${line.axis}${line.at}`} line={line} on={on} />
      ))}
      {gaps.map((gap) => (
        <GapMark key={`${gap.axis}${gap.from}${gap.at}`} gap={gap} on={on} />
      ))}
      {ghosts.map((corners) => (
        <polygon key={path(corners)} class="overlay-ghost" points={path(corners)} />
      ))}
      {insertion && <polyline class="overlay-insertion" points={path(insertion)} />}
      {from && to && (
        <rect
          class="overlay-marquee"
          x={Math.min(from.x, to.x)}
          y={Math.min(from.y, to.y)}
          width={Math.abs(from.x - to.x)}
          height={Math.abs(from.y - to.y)}
        />
      )}
      {tip && at && <Label x={at.x + 24} y={at.y + 16} text={tip.text} />}
    </>
  );
}

type On = FeedbackProps['on'];

function SnapMark({ line: { axis, at, from, to }, on }: { readonly line: SnapLine; readonly on: On }) {
  const [p, q] =
    axis === 'x' ? [on({ x: at, y: from }), on({ x: at, y: to })] : [on({ x: from, y: at }), on({ x: to, y: at })];
  return <line class="overlay-snap" x1={p.x} y1={p.y} x2={q.x} y2={q.y} />;
}

function GapMark({ gap: { axis, from, to, at }, on }: { readonly gap: Gap; readonly on: On }) {
  const [p, q] =
    axis === 'x' ? [on({ x: from, y: at }), on({ x: to, y: at })] : [on({ x: at, y: from }), on({ x: at, y: to })];
  const [x, y] = [(p.x + q.x) / 2, (p.y + q.y) / 2];
  const text = String(Math.round((to - from) * 100) / 100);
  return (
    <>
      <line class="overlay-snap" x1={p.x} y1={p.y} x2={q.x} y2={q.y} />
      <Label x={axis === 'x' ? x : x + 20} y={axis === 'x' ? y + 4 : y - LABEL_HEIGHT / 2} text={text} kind="snap" />
    </>
  );
}

interface LabelProps {
  /** Middle of the label's upper edge. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly kind?: 'snap';
}

function Label({ x, y, text, kind }: LabelProps): ComponentChildren {
  const width = text.length * CHARACTER + 10;
  return (
    <g class={kind ? `overlay-label overlay-label-${kind}` : 'overlay-label'}>
      <rect x={x - width / 2} y={y} width={width} height={LABEL_HEIGHT} rx={3} />
      <text x={x} y={y + 12.5} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}

function PixelGrid({ state: { viewport, editor } }: { readonly state: CanvasState }) {
  const { zoom, x, y } = viewport.value;
  const { width, height } = canvasSize(editor.store.document.value);
  return (
    <>
      <pattern id="pixel-grid" x={x} y={y} width={zoom} height={zoom} patternUnits="userSpaceOnUse">
        <path class="overlay-grid" d={`M${zoom} 0V${zoom}H0`} />
      </pattern>
      <rect x={x} y={y} width={width * zoom} height={height * zoom} fill="url(#pixel-grid)" />
    </>
  );
}
