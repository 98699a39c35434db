// Values that are made when they are first needed.

/** Returns what `make` returns, and calls it once: a process that renders one picture needs few of the contract's schemas. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
