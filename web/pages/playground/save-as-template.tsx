// Saves the payload as a template.
import { useState } from 'preact/hooks';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { toast } from '../../app/announce.js';
import { api } from '../../app/api.js';
import { navigate } from '../../app/router.js';
import { inWorkspace } from '../../app/session.js';
import { type Body, recordOf } from '../../preview/payload-kind.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';

export function SaveAsTemplate({ payload, onClose }: { readonly payload: unknown; readonly onClose: () => void }) {
  const body = payload as Body;
  const [name, setName] = useState(typeof body.name === 'string' ? body.name : '');
  const save = async () => {
    const created = await api.post<TemplateAnswer>(inWorkspace('templates?publish=false'), recordOf(body, name.trim()));
    toast('Template saved');
    navigate(`/dashboard/templates/${encodeURIComponent(created.id)}`);
  };
  return (
    <FormDialog title="Save as template" confirm="Save" isReady={name.trim() !== ''} onConfirm={save} onClose={onClose}>
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        maxLength={200}
        hint="A draft: renders can use it once you publish it. Give layers a key to fill them with variables."
      />
    </FormDialog>
  );
}
