// A bar chart: stacked bars, a few lines behind them, and a legend that shows the numbers of the bar under the pointer.
import { useState } from 'preact/hooks';
import { formatNumber } from '../app/format.js';

export interface Series {
  readonly name: string;
  readonly kind: 'main' | 'failed';
  /** The values, one for each bar. */
  readonly values: readonly number[];
}

export interface BarChartProps {
  /** Accessible name; a table beside the chart has the numbers. */
  readonly label: string;
  /** Labels below the bars, such as `Nov 22`. */
  readonly categories: readonly string[];
  /** The stacked series; the first is at the foot. */
  readonly series: readonly Series[];
  /** The period that the legend's sums cover: `30 days`. */
  readonly whole: string;
}

const HEIGHT = 176;
/** The share of its column that a bar fills. */
const FILLED = 0.68;
/** Smallest height of a bar that isn't 0, so that it can be seen. */
const MIN_BAR = 2;
const LABELS = 6;

export function BarChart({ label, categories, series, whole }: BarChartProps) {
  const [hovered, setHovered] = useState<number>();
  const totals = categories.map((_, index) => sum(series.map(({ values }) => values[index])));
  const top = niceMaximum(Math.max(...totals, 0));
  const step = Math.ceil(categories.length / LABELS);
  const place = 100 / categories.length;
  return (
    <figure class="chart">
      <figcaption class="chart-legend">
        <span class="chart-when">{hovered === undefined ? whole : categories[hovered]}</span>
        {series.map(({ name, kind, values }) => (
          <span key={name} class="chart-entry">
            <span class={`chart-swatch chart-${kind}`} />
            {name}
            <strong>{formatNumber(hovered === undefined ? sum(values) : values[hovered])}</strong>
          </span>
        ))}
      </figcaption>
      <div class="chart-plot">
        <div class="chart-scale" aria-hidden="true">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber(top / 2)}</span>
          <span>0</span>
        </div>
        {totals.every((total) => total === 0) && <p class="chart-nothing">Nothing in {whole}</p>}
        <svg
          class="chart-bars"
          height={HEIGHT}
          role="img"
          aria-label={label}
          onMouseLeave={() => setHovered(undefined)}
        >
          {[0, 0.5, 1].map((share) => (
            <line key={share} x1="0" x2="100%" y1={lineAt(share)} y2={lineAt(share)} />
          ))}
          {categories.map((category, index) => {
            let foot = HEIGHT;
            return (
              <g
                key={category}
                class={hovered === index ? 'is-hovered' : undefined}
                onMouseEnter={() => setHovered(index)}
              >
                <rect class="chart-place" x={`${place * index}%`} y="0" width={`${place}%`} height={HEIGHT} />
                {series.map(({ name, kind, values }) => {
                  const value = values[index];
                  if (value <= 0) return null;
                  const height = Math.max((value / top) * HEIGHT, MIN_BAR);
                  foot -= height;
                  const x = place * (index + (1 - FILLED) / 2);
                  return (
                    <rect
                      key={name}
                      class={`chart-${kind}`}
                      x={`${x}%`}
                      y={foot}
                      width={`${place * FILLED}%`}
                      height={height}
                      rx="2"
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
        <div class="chart-days" aria-hidden="true">
          {categories.map(
            (category, index) =>
              (categories.length - 1 - index) % step === 0 && (
                <span
                  key={category}
                  class={(categories.length - 1 - index) % (2 * step) === 0 ? undefined : 'chart-day-minor'}
                  style={{ left: `${place * (index + 0.5)}%` }}
                >
                  {category}
                </span>
              ),
          )}
        </div>
      </div>
    </figure>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Keeps a line half a pixel away from the chart's edges, so that a line of 1 px is drawn whole. */
const lineAt = (share: number) => Math.min(Math.max(HEIGHT * (1 - share), 0.5), HEIGHT - 0.5);

/** Rounds up to 2, 4, 6, 10, 20, 40, 60, 100, …, whose halves are whole numbers too. */
function niceMaximum(value: number): number {
  let power = 1;
  for (;;) {
    for (const factor of [2, 4, 6, 10]) if (factor * power >= value) return factor * power;
    power *= 10;
  }
}
