// The zod schema of a fill: what a layer's colours accept.
import { color } from './color/parse.js';

export const fill = color;
