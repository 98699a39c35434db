// The schemas of layers that become groups.
import { chartLayer, splitChart } from './chart.js';
import { tableLayer } from './table.js';
import type { ExpandedKinds } from './types.js';

export const EXPANDED_KINDS: ExpandedKinds = {
  chart: { schema: chartLayer, placed: (raw) => ({ ...raw, ...splitChart(raw).place }) },
  table: { schema: tableLayer },
};
