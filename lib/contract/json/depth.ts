// Measures how deep a value is nested, without recursion: 100,000 levels must not overflow the stack.

/** Maximum depth of a request's body or a template (docs/limits.md#fields); JSON.stringify and structured clone handle it. */
export const BODY_LEVELS = 64;

/** Whether `value` has more than `levels` levels of objects and arrays, itself included. True for a cycle. */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const child of Array.isArray(container) ? container : Object.values(container)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
