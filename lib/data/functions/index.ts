// The functions and methods of expressions.

import { CODE_FUNCTIONS } from './codes.js';
import { COLOR_FUNCTIONS } from './colors.js';
import type { Definition } from './definition.js';
import { LIST_FUNCTIONS } from './lists.js';
import { LOCALE_FUNCTIONS } from './locale.js';
import { NUMBER_FUNCTIONS } from './numbers.js';
import { TEXT_FUNCTIONS, TEXT_METHODS } from './texts.js';

export { compareValues, isEqual } from './compare.js';
export { joined } from './definition.js';

/** Functions by name: `upper(x)`. */
export const FUNCTIONS: Readonly<Record<string, Definition>> = {
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...COLOR_FUNCTIONS,
  ...CODE_FUNCTIONS,
  ...LOCALE_FUNCTIONS,
};

/** Methods by name, with the value before the dot as first argument: `x.trim()`. `min` and `max` count the others. */
export const METHODS: Readonly<Record<string, Definition>> = TEXT_METHODS;
