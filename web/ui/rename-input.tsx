// The input for renaming something in place: Enter and leaving it accept the name, Escape restores it.
import { useEffect, useRef } from 'preact/hooks';

export interface RenameInputProps {
  readonly label: string;
  readonly name: string;
  readonly maxLength: number;
  /** Receives the new name; undefined if it stays. */
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
