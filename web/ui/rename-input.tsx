// The input in which something is renamed where its name stands: Enter and leaving it take the name, Escape leaves it as it was.
import { useEffect, useRef } from 'preact/hooks';

export interface RenameInputProps {
  readonly label: string;
  readonly name: string;
  readonly maxLength: number;
  /** undefined: the name stays as it is. */
  readonly onEnd: (name: string | undefined) => void;
  readonly describedBy?: string;
}

export function RenameInput({ label, name, maxLength, onEnd, describedBy }: RenameInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const isEnded = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const end = (next: string | undefined) => {
    if (isEnded.current) return;
    isEnded.current = true;
    onEnd(next);
  };
  return (
    <input
      ref={input}
      class="input"
      aria-label={label}
      aria-describedby={describedBy}
      maxLength={maxLength}
      defaultValue={name}
      onBlur={(event) => end(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') end(event.currentTarget.value);
        if (event.key === 'Escape') end(undefined);
      }}
    />
  );
}
