// The template on the server: which state of the open document is saved and published, and what somebody else saved meanwhile.
import { useRef, useState } from 'preact/hooks';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { useAction } from '../../app/action.js';
import { toast } from '../../app/announce.js';
import { ApiError, api } from '../../app/api.js';
import { inWorkspace } from '../../app/session.js';
import { isEqual } from '../../document/document.js';
import type { Json } from '../../document/json.js';
import type { EditorStore } from '../../document/store.js';

/** Tracks the template. `baseVersion` is the version that the document is based on, if it isn't the latest. */
export function useTemplate(opened: TemplateAnswer, store: EditorStore, baseVersion = opened.version) {
  const [template, setTemplate] = useState(opened);
  /** The version for If-Match. */
  const base = useRef(baseVersion);
  const [savedRecord, setSavedRecord] = useState(opened.record as Json);
  const [theirs, setTheirs] = useState<TemplateAnswer>();
  const { busy, error, setError, run } = useAction<'save' | 'publish'>();
  const path = inWorkspace(`templates/${encodeURIComponent(opened.id)}`);
  const isChanged = !isEqual(store.document.value.record, savedRecord);

  /** Takes over an answer of the server: from now on the document is compared with `record`. */
  const take = (next: TemplateAnswer, record: Json) => {
    base.current = next.version;
    setTemplate(next);
    setSavedRecord(record);
  };

  /** Saves the document as the next version. Returns undefined if somebody else has saved one since `version`. */
  const put = async (version: number): Promise<TemplateAnswer | undefined> => {
    const { record } = store.document.value;
    try {
      const next = await api.put<TemplateAnswer>(`${path}?publish=false`, record, {
        headers: { 'if-match': `"${version}"` },
      });
      take(next, record);
      return next;
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 412) throw failure;
      setTheirs(await api.get<TemplateAnswer>(path));
      return undefined;
    }
  };

  return {
    template,
    /** The record of the version that the document is based on. */
    savedRecord,
    isChanged,
    isPublished: !isChanged && template.publishedVersion === template.version,
    /** The version that somebody else saved since then. */
    theirs,
    forgetTheirs: () => setTheirs(undefined),
    baseVersion: base.current,
    busy,
    error,
    setError,
    save: (version = base.current) =>
      run('save', async () => {
        const next = await put(version);
        if (!next) return;
        setTheirs(undefined);
        toast(`Version ${next.version} saved`);
      }),
    publish: () =>
      run('publish', async () => {
        const next = isChanged ? await put(base.current) : template;
        if (!next) return;
        setTemplate(await api.post<TemplateAnswer>(`${path}/publish`, { version: next.version }));
        toast(`Version ${next.version} published`);
      }),
    /** Replaces the document by the server's present version. */
    replace: (next: TemplateAnswer) => {
      const record = next.record as Json;
      take(next, record);
      setTheirs(undefined);
      store.dispatch({ type: 'replace', record }, { label: `Open version ${next.version}` });
    },
    /** Takes over which version renders use. */
    takePublished: ({ publishedVersion }: TemplateAnswer) => setTemplate((before) => ({ ...before, publishedVersion })),
  };
}

export type EditedTemplate = ReturnType<typeof useTemplate>;
