// What the code of each kind of chart is given.
import type { ChartFields } from '../contract/layers/expanded/chart.js';
import type { Color } from '../raster/color.js';
import type { DataTable } from './table.js';
import type { Texts } from './texts.js';

export interface ChartParts {
  readonly chart: ChartFields;
  readonly table: DataTable;
  readonly texts: Texts;
}

/** A chart of series, with a colour for each. */
export interface SeriesParts extends ChartParts {
  readonly colors: readonly Color[];
}

/** A chart whose marks take colours from the palette. */
export interface PaletteParts extends ChartParts {
  readonly palette: readonly Color[];
}
