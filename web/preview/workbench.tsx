// The common part of Playground and Editor: JSON on one side; its picture, faults, output and check on the other.
import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonEditor } from '../json/editor.js';
import { JsonView, type JsonViewProps } from '../json/json-view.js';
import { Card } from '../ui/page.js';
import { Layers } from './layers.js';
import { Output, type OutputProps } from './output.js';
import { PreviewPicture, Timings } from './picture.js';
import { Problems } from './problems.js';
import { FileSizes } from './sizes.js';
import type { PreviewParts } from './use-preview.js';
import { Verify } from './verify.js';

export interface WorkbenchProps {
  readonly parts: PreviewParts;
  /** Accessible name of the side with the JSON. */
  readonly label: string;
  readonly json: Omit<JsonViewProps, 'findings' | 'onLines' | 'editor'>;
  readonly editor: RefObject<JsonEditor | null>;
  readonly output: Omit<OutputProps, keyof PreviewParts>;
  /** Content below the JSON. */
  readonly bar: ComponentChildren;
  readonly canVerify: boolean;
  /** Content between the picture and its faults. */
  readonly children?: ComponentChildren;
}

export function Workbench({ parts, label, json, editor, output, bar, canVerify, children }: WorkbenchProps) {
  const { preview } = parts;
  const { chosen } = output;
  const [lines, setLines] = useState<readonly (number | undefined)[]>([]);
  return (
    <div class="workbench">
      <section class="workbench-text" aria-label={label}>
        <div class="workbench-editor">
          <JsonView {...json} editor={editor} findings={preview.findings.value} onLines={setLines} />
        </div>
        <div class="workbench-bar">{bar}</div>
      </section>
      <div class="workbench-side">
        <PreviewPicture preview={preview} />
        {children}
        <Problems
          findings={preview.findings.value}
          lines={lines}
          onReveal={(finding) => editor.current?.reveal(finding)}
        />
        <Layers preview={preview} />
        <Card title="Output">
          <Output {...parts} {...output} />
          <FileSizes {...parts} {...(chosen && { chosen: chosen.format, quality: chosen.quality })} />
          <Timings preview={preview} />
        </Card>
        {canVerify && <Verify {...parts} />}
      </div>
    </div>
  );
}
