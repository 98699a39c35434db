// Shows the template's sample sets and the stress sets made for it: a click fills the picture.
import { useMemo, useState } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { isEqual } from '../../document/document.js';
import { Button } from '../../ui/button.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import {
  addSample,
  deleteSample,
  freeName,
  hasRoom,
  listSamples,
  MAX_SAMPLES,
  nameFault,
  renameSample,
  updateSample,
} from './samples.js';
import { SetTile } from './set-tile.js';
import { fillWith, type VariableSet, variablesState } from './state.js';
import { stressSets } from './stress.js';
import { useSettled } from './use-settled.js';

const OWN: VariableSet = { kind: 'own', name: 'As designed', variables: {} };

/** Returns the set that fills the picture; by default the record itself. */
function chosenSet(editor: OpenEditor): VariableSet | undefined {
  const isUnfilled = Object.keys(editor.variables.value).length === 0;
  return variablesState(editor).chosen.value ?? (isUnfilled ? OWN : undefined);
}

export function SampleSets({ editor }: { readonly editor: OpenEditor }) {
  const { store, variables, canEdit } = editor;
  const { chosen } = variablesState(editor);
  const document = store.document.value;
  const { record } = document;
  const settled = useSettled(record);
  const samples = useMemo(() => listSamples(record).map((each) => ({ kind: 'sample' as const, ...each })), [record]);
  const stress = useMemo(() => stressSets(settled).map((each) => ({ kind: 'stress' as const, ...each })), [settled]);
  const tiles = { editor, record: settled };
  const [dialog, setDialog] = useState<'save' | 'rename'>();
  const current = chosenSet(editor);
  const sample = current?.kind === 'sample' ? samples.find(({ name }) => name === current.name) : undefined;
  const isChanged = sample !== undefined && !isEqual(sample.variables, variables.value);
  return (
    <section class="variables-section" aria-label="Samples and stress">
      <h2>Samples and stress</h2>
      <Tiles label="Samples" sets={[OWN, ...samples]} {...tiles} />
      {canEdit && (
        <div class="variables-actions">
          <Button
            size="small"
            icon="plus"
            disabled={!hasRoom(document)}
            {...(!hasRoom(document) && { title: `A template may have ${MAX_SAMPLES} sample sets` })}
            onClick={() => setDialog('save')}
          >
            Save as sample
          </Button>
          {sample && (
            <>
              {isChanged && (
                <Button
                  size="small"
                  onClick={() => updateSample(store, sample.name, variables.value, sizeFor(sample.size, document.size))}
                >
                  Update sample
                </Button>
              )}
              <Button size="small" kind="quiet" onClick={() => setDialog('rename')}>
                Rename
              </Button>
              <Button
                size="small"
                kind="quiet"
                onClick={() => {
                  deleteSample(store, sample.name);
                  chosen.value = undefined;
                }}
              >
                Delete
              </Button>
            </>
          )}
        </div>
      )}
      {stress.length > 0 && <Tiles label="Stress sets" sets={stress} {...tiles} />}
      {dialog === 'save' && (
        <NameDialog
          title="Save as sample"
          confirm="Save"
          initial={freeName(document, current?.kind === 'row' ? current.name : undefined)}
          faultOf={(name) => nameFault(document, name)}
          onConfirm={(name) => {
            addSample(store, name, variables.value, document.size);
            chosen.value = { kind: 'sample', name, variables: variables.value, size: document.size };
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'rename' && sample && (
        <NameDialog
          title="Rename sample"
          confirm="Rename"
          initial={sample.name}
          faultOf={(name) => nameFault(document, name, sample.name)}
          onConfirm={(name) => {
            renameSample(store, sample.name, name);
            chosen.value = { ...sample, name };
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  );
}

interface TilesProps {
  readonly editor: OpenEditor;
  readonly label: string;
  readonly record: object;
  readonly sets: readonly (VariableSet & { readonly description?: string })[];
}

function Tiles({ editor, label, record, sets }: TilesProps) {
  const { size } = editor.store.document.value;
  const chosen = chosenSet(editor);
  return (
    <>
      <h3>{label}</h3>
      <ul class="set-tiles" aria-label={label}>
        {sets.map((set) => (
          <li key={set.name}>
            <SetTile
              name={set.name}
              {...(set.description && { description: set.description })}
              record={record}
              variables={set.variables}
              size={set.size ?? size}
              isChosen={chosen?.kind === set.kind && chosen.name === set.name}
              onChoose={() => fillWith(editor, set)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Keeps a set that is for any size unchanged. */
const sizeFor = (own: string | undefined, fallback: string | undefined) => (own === undefined ? undefined : fallback);

interface NameDialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly initial: string;
  readonly faultOf: (name: string) => string | undefined;
  readonly onConfirm: (name: string) => void;
  readonly onClose: () => void;
}

function NameDialog({ title, confirm, initial, faultOf, onConfirm, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const fault = faultOf(name);
  return (
    <FormDialog
      title={title}
      confirm={confirm}
      isReady={fault === undefined}
      onConfirm={async () => {
        onConfirm(name.trim());
        onClose();
      }}
      onClose={onClose}
    >
      <TextField label="Name" value={name} error={name === '' ? undefined : fault} onInput={setName} />
    </FormDialog>
  );
}
