// The panel Warnings: lists errors and warnings about the document, each with its layer, field and line of JSON.
import { useMemo } from 'preact/hooks';
import type { LayerFinding, OpenEditor } from '../../canvas/open-editor.js';
import { nameOf } from '../../document/document.js';
import { lineOf } from '../../document/lines.js';
import { writtenPath } from '../../document/places.js';
import { textOfDocument } from '../../document/text.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';

const KINDS = { error: 'Fault', warning: 'Warning' } as const;

export function WarningsPanel({ editor }: { readonly editor: OpenEditor }) {
  const { findings, store, brokenText } = editor;
  const all = findings.value;
  const text = brokenText.value ?? textOfDocument(store.document.value);
  const lines = useMemo(
    () => all.map(({ path, position }) => (position === undefined ? lineOf(text, path) : lineAt(text, position))),
    [all, text],
  );
  if (all.length === 0) {
    return (
      <p class="problems-none">
        <Icon name="check" /> Nothing to warn about
      </p>
    );
  }
  return (
    <ul class="warnings" aria-label="Warnings">
      {all.map((finding, index) => (
        <Warning key={`${index} ${finding.message}`} editor={editor} finding={finding} line={lines[index]!} />
      ))}
    </ul>
  );
}

interface WarningProps {
  readonly editor: OpenEditor;
  readonly finding: LayerFinding;
  readonly line: number;
}

function Warning({ editor: { store, panel, revealed }, finding, line }: WarningProps) {
  const { severity, code, message, node, field } = finding;
  const fieldName = writtenPath(field);
  return (
    <li class="warning">
      <span class={`problem-mark problem-${severity}`}>
        <Icon name="alert" />
        <span class="visually-hidden">{KINDS[severity]}: </span>
      </span>
      <div class="warning-text" title={code}>
        <p>
          {node && <strong>{nameOf(node)} </strong>}
          {fieldName !== '' && <code>{fieldName}</code>}
        </p>
        <p>{message}</p>
        <div class="warning-actions">
          {node && (
            <Button
              size="small"
              kind="quiet"
              onClick={() => {
                store.select([node.id]);
                panel.value = 'properties';
              }}
            >
              Show layer
            </Button>
          )}
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              revealed.value = finding;
              panel.value = 'json';
            }}
          >
            {`Line ${line}`}
          </Button>
        </div>
      </div>
    </li>
  );
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
