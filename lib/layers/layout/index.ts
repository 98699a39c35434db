// What lays out layers, in one module for the import that waits until a scene has such layers.
export { LayoutBudget } from '../../layout/flex/budget.js';
export { layOutLayer } from './lay-out.js';
export { measuredText } from './text-content.js';
