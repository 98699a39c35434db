// Tells JSON objects from other values. Without zod: pages use it.

/** Whether `value` is a JSON object: not null and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
