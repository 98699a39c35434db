// How the render process says that something was added to what all objects share.

/** Its exit code. */
export const POLLUTED = 97;
