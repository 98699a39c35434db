// The panel JSON: edits the record as text. While the text isn't a valid record, the last good document stays.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LayerFinding, OpenEditor } from '../../canvas/open-editor.js';
import { isObject } from '../../document/json.js';
import { writtenPath } from '../../document/places.js';
import { textOfDocument } from '../../document/text.js';
import type { Finding, JsonEditor } from '../../json/editor.js';
import { JsonView } from '../../json/json-view.js';

export function JsonPanel({ editor }: { readonly editor: OpenEditor }) {
  const { store, findings, revealed, brokenText, canEdit } = editor;
  const view = useRef<JsonEditor>(null);
  const [initialText] = useState(() => brokenText.peek() ?? textOfDocument(store.document.peek()));
  const { record, text } = store.document.value;
  useEffect(() => {
    if (brokenText.peek() === undefined) view.current?.replace(textOfDocument(store.document.peek()));
  }, [record, text]);
  const [isOpen, setOpen] = useState(false);
  const wanted = revealed.value;
  useEffect(() => {
    if (!isOpen || !wanted) return;
    view.current?.reveal(findingOf(wanted));
    revealed.value = undefined;
  }, [isOpen, wanted]);
  const marked = useMemo(() => findings.value.map(findingOf), [findings.value]);
  const change = (next: string) => {
    const parsed = parse(next);
    if (!isObject(parsed)) {
      brokenText.value = next;
      return;
    }
    brokenText.value = undefined;
    if (next === textOfDocument(store.document.peek())) return;
    store.dispatch({ type: 'replace', record: parsed, text: next }, { label: 'Edit JSON', merge: 'json' });
  };
  return (
    <JsonView
      label="JSON"
      kind="template"
      initialText={initialText}
      isReadOnly={!canEdit}
      onChange={change}
      editor={view}
      findings={marked}
      onLines={() => setOpen(true)}
    />
  );
}

function findingOf({ severity, path, message, position }: LayerFinding): Finding {
  return { severity, message, path: writtenPath(path), ...(position !== undefined && { position }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
