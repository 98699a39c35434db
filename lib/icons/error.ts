/** An icon, or a set of icons, that can't be drawn: one line. */
export class IconError extends Error {}
