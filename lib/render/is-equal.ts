// Compares parsed layers, which are plain data with the number arrays of paths.

/** Compares two values deeply. `except` is a key of the outermost objects that doesn't count. */
export function isEqual(one: unknown, other: unknown, except?: string): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || ArrayBuffer.isView(one)) return isEqualList(one, other);
  const keys = Object.keys(one);
  if (Array.isArray(other) || keys.length !== Object.keys(other).length) return false;
  const [first, second] = [one, other] as Readonly<Record<string, unknown>>[];
  return keys.every((key) => key === except || (Object.hasOwn(second, key) && isEqual(first[key], second[key])));
}

function isEqualList(one: object, other: object): boolean {
  if (!Array.isArray(other) && !ArrayBuffer.isView(other)) return false;
  const [first, second] = [one, other] as ArrayLike<unknown>[];
  if (first.length !== second.length) return false;
  for (let i = 0; i < first.length; i++) if (!isEqual(first[i], second[i])) return false;
  return true;
}
