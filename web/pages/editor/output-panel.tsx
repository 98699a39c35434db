// The panel Output: saves the picture in a format, writes code that asks the service for it, and compares it with the service's
// picture.
import type { Signal } from '@preact/signals';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { CopyCode } from '../../preview/copy-code.js';
import type { Format } from '../../preview/live-preview.js';
import { Output } from '../../preview/output.js';
import { Timings } from '../../preview/picture.js';
import { FileSizes } from '../../preview/sizes.js';
import type { Verification } from '../../preview/verification.js';
import { VerifyOutcome } from '../../preview/verify.js';

export interface ChosenOutput {
  readonly format: Format;
  readonly quality: number;
}

export interface OutputPanelProps {
  readonly editor: OpenEditor;
  readonly template: TemplateAnswer;
  readonly output: Signal<ChosenOutput>;
  readonly verification: Verification;
}

export function OutputPanel({ editor, template, output, verification }: OutputPanelProps) {
  const { preview, engine, store, canEdit } = editor;
  const variables = editor.variables.value;
  const chosen = output.value;
  const { size } = store.document.value;
  const body = {
    templateId: template.id,
    ...(size !== undefined && { size }),
    ...(Object.keys(variables).length > 0 && { variables }),
    format: chosen.format,
    // only values that differ from a render's defaults
    ...(chosen.format !== 'png' && { quality: chosen.quality }),
  };
  return (
    <div class="stack">
      <Output
        preview={preview}
        engine={engine}
        name={template.name}
        chosen={chosen}
        onFormat={(format) => {
          output.value = { ...output.value, format };
        }}
        onQuality={(quality) => {
          output.value = { ...output.value, quality };
        }}
      />
      <FileSizes preview={preview} engine={engine} chosen={chosen.format} quality={chosen.quality} />
      <Timings preview={preview} />
      <div class="editor-code">
        <CopyCode body={() => body} isReady />
      </div>
      {canEdit && (
        <section aria-labelledby="verify-heading">
          <h2 id="verify-heading" class="panel-heading">
            Verify with service
          </h2>
          <VerifyOutcome verification={verification} />
        </section>
      )}
    </div>
  );
}
