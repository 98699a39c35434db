// A JSON editor as a component. CodeMirror is loaded when it is first shown.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Finding, JsonEditor, JsonEditorOptions } from './editor.js';

export interface JsonViewProps extends Omit<JsonEditorOptions, 'text'> {
  /** The text at the start; later changes go through `editor`. */
  readonly initialText: string;
  /** Findings that are marked in the text. */
  readonly findings?: readonly Finding[];
  /** Receives the lines of `findings`, from 1. */
  readonly onLines?: (lines: readonly (number | undefined)[]) => void;
  readonly editor?: RefObject<JsonEditor | null>;
}

export function JsonView({ initialText, findings, onLines, editor, ...options }: JsonViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const own = useRef<JsonEditor | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  // the callback of the latest render
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    let isMounted = true;
    import('./editor.js').then(
      ({ createJsonEditor }) => {
        if (!isMounted || !host.current) return;
        const { label, kind, isReadOnly } = latest.current;
        own.current = createJsonEditor(host.current, {
          label,
          kind,
          text: initialText,
          ...(isReadOnly && { isReadOnly }),
          onChange: (text) => latest.current.onChange(text),
        });
        if (editor) editor.current = own.current;
        setState('ready');
      },
      () => isMounted && setState('failed'),
    );
    return () => {
      isMounted = false;
      own.current?.destroy();
      own.current = null;
      if (editor) editor.current = null;
    };
  }, []);

  useEffect(() => {
    if (state === 'ready' && findings && own.current) onLines?.(own.current.mark(findings));
  }, [state, findings]);

  return (
    <div class="json-view" aria-busy={state === 'loading'}>
      {state === 'failed' && <p class="json-view-failed">The editor could not be loaded. Reload the page.</p>}
      <div ref={host} class="json-view-host" />
    </div>
  );
}
