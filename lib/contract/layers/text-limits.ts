/** Maximum spans of a text layer, given or made by its markup. */
export const MAX_SPANS = 1000;
