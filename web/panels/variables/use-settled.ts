// Returns a value once it no longer changes: small pictures wait until a drag or typing ends.
import { useEffect, useState } from 'preact/hooks';

const QUIET_MS = 300;

export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (settled === value) return;
    const timer = setTimeout(() => setSettled(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
