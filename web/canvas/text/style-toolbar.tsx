// The toolbar above an edited text: the style of its selection.
import { useRef, useState } from 'preact/hooks';
import { numberOf, textOf } from '../../document/json.js';
import { IconButton } from '../../ui/button.js';
import type { TextSession } from './session.js';
import { isStyleOn, styleOf, TOGGLES, toggleStyle } from './styles.js';

/** The renderer's default font size. */
const DEFAULT_SIZE = 16;
const DEFAULT_COLOR = '#000000';

export function StyleToolbar({ session }: { readonly session: TextSession }) {
  const toolbar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.key === 'Escape') focusText(target);
    else if (target.localName === 'button' && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const controls = [...toolbar.current!.querySelectorAll<HTMLElement>('button, input')];
      const next = controls.indexOf(target) + (event.key === 'ArrowLeft' ? -1 : 1);
      controls.at(next % controls.length)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={toolbar} class="text-style" role="toolbar" aria-label="Text style" onKeyDown={onKeyDown}>
      {TOGGLES.map(({ toggle, name, keys }) => (
        <IconButton
          key={toggle}
          size="small"
          icon={toggle}
          label={name}
          aria-pressed={isStyleOn(session, toggle)}
          aria-keyshortcuts={keys.replace('Ctrl', 'Control')}
          title={`${name} (${keys})`}
          // the text keeps the focus
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => toggleStyle(session, toggle)}
        />
      ))}
      <span class="text-style-line" />
      <ColorInput session={session} />
      <SizeInput session={session} />
    </div>
  );
}

const focusText = (from: HTMLElement) =>
  from.closest('.text-editing')?.querySelector<HTMLElement>('textarea')?.focus({ preventScroll: true });

function ColorInput({ session }: { readonly session: TextSession }) {
  const value = styleOf(session, 'color') ?? (session.raw.value.color === undefined ? DEFAULT_COLOR : undefined);
  const color = textOf(value) ?? '';
  const set = (next: string, merge?: string) => session.style({ field: 'color', value: next }, 'Change colour', merge);
  return (
    <>
      <input
        class="text-style-swatch"
        type="color"
        aria-label="Pick a text colour"
        title="Pick a text colour"
        value={/^#[\da-f]{6}$/i.test(color) ? color : DEFAULT_COLOR}
        onInput={(event) => set(event.currentTarget.value, 'text colour')}
        onChange={() => session.editor.store.endStep()}
      />
      <TextEntry
        label="Text colour"
        value={color}
        placeholder={value === undefined ? 'Mixed' : 'Gradient'}
        isValid={(text) => CSS.supports('color', text)}
        onEnter={set}
      />
    </>
  );
}

function SizeInput({ session }: { readonly session: TextSession }) {
  const size = styleOf(session, 'fontSize') ?? (session.raw.value.fontSize === undefined ? DEFAULT_SIZE : undefined);
  const set = (text: string) => session.style({ field: 'fontSize', value: Number(text) }, 'Change font size');
  return (
    <TextEntry
      label="Font size"
      class="text-style-size"
      value={numberOf(size)?.toString() ?? ''}
      placeholder="Mixed"
      isValid={(text) => Number(text) > 0 && Number(text) <= MAX_SIZE}
      onEnter={set}
      step={(text, by) => String(Math.max(1, Number(text) + by))}
    />
  );
}

/** Largest font size in pixels, as in the schema. */
const MAX_SIZE = 10_000;

interface TextEntryProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly class?: string;
  readonly isValid: (text: string) => boolean;
  readonly onEnter: (text: string) => void;
  /** Computes the value for Up and Down. */
  readonly step?: (text: string, by: number) => string;
}

/** An input that applies its text on Enter and when it loses the focus. */
function TextEntry({ label, value, placeholder, isValid, onEnter, step, ...rest }: TextEntryProps) {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? value;
  const isWrong = draft !== undefined && draft.trim() !== '' && !isValid(draft.trim());
  const enter = (next = draft) => {
    setDraft(undefined);
    if (next !== undefined && next.trim() !== '' && next.trim() !== value && isValid(next.trim())) onEnter(next.trim());
  };
  return (
    <input
      class={`input text-style-entry ${rest.class ?? ''}`}
      aria-label={label}
      title={label}
      aria-invalid={isWrong || undefined}
      spellcheck={false}
      autocomplete="off"
      placeholder={placeholder}
      value={text}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => enter()}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (by !== 0 && step && isValid(text)) enter(step(text, event.shiftKey ? by * 10 : by));
        else if (event.key === 'Enter') {
          enter();
          focusText(event.currentTarget);
        } else return;
        event.preventDefault();
      }}
    />
  );
}
