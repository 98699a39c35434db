// The verbs that the API's replace, until all callers have changed.
import { listHotspots } from '../../contract/hotspots.js';
import { toLoggedRender } from '../logged-render.js';
import type { RenderEntry, RenderLogStore, Store, StoredTemplate, TemplateStore, VersionedTemplate } from '../types.js';

const oldTemplate = ({ id, workspaceId, name, width, height }: VersionedTemplate): StoredTemplate => ({
  id,
  workspaceId,
  name,
  width,
  height,
});

type OldTemplateVerbs = Pick<
  Store,
  'findTemplate' | 'importTemplate' | 'listTemplates' | 'showTemplate' | 'exportTemplate' | 'deleteTemplate'
>;

export function oldTemplateVerbs(store: TemplateStore): OldTemplateVerbs {
  return {
    async findTemplate(workspaceId, templateId) {
      return (await store.findTemplate(workspaceId, templateId))?.record;
    },
    async importTemplate(workspaceId, record) {
      const draft = { record, hotspots: listHotspots(record), assetIds: [] };
      return oldTemplate(await store.createTemplate(workspaceId, draft, { publish: true }));
    },
    async listTemplates(workspaceId) {
      return (await store.listTemplates(workspaceId, { limit: 1_000_000 })).items.map(oldTemplate);
    },
    showTemplate: async (id) => oldTemplate(await store.getTemplate({ id })),
    exportTemplate: async (id) => (await store.getTemplateRecord({ id })).record,
    deleteTemplate: async (id) => oldTemplate(await store.deleteTemplate({ id })),
  };
}

export function oldRenderLogVerbs(store: RenderLogStore): Pick<Store, 'appendRender' | 'listRenders'> {
  return {
    appendRender: (entry) => store.appendRender(toLoggedRender(entry)),
    async listRenders(workspaceId, limit) {
      const entries: RenderEntry[] = [];
      for (let cursor: string | null | undefined; entries.length < limit && cursor !== null; ) {
        const page = await store.listRenders(workspaceId, {}, { limit: limit - entries.length, cursor });
        entries.push(...page.items);
        cursor = page.nextCursor;
      }
      return entries;
    },
  };
}
