// Lists the property names of shared prototypes as text, to detect prototype pollution.

const CONSTRUCTORS = [Object, Array, Function, String, Number, Boolean, RegExp, Map, Set, Promise, Error];
const SHARED: readonly object[] = [
  ...CONSTRUCTORS,
  ...CONSTRUCTORS.map(({ prototype }) => prototype as object),
  Uint8Array.prototype,
  Object.getPrototypeOf(Uint8Array.prototype),
  JSON,
  Math,
];

export function sharedNames(): string {
  return SHARED.map((object) => Reflect.ownKeys(object).map(String).join(' ')).join('\n');
}
