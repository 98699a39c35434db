// The bounds of grids, without zod: layout reads them, too.

/** Maximum columns of a grid, and rows. */
export const MAX_TRACKS = 1000;
