// The exit code by which the render process reports a polluted prototype.

/** Its exit code. */
export const POLLUTED = 97;
