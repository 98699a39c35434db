// The verbs that the API's replace, until all callers have changed.
import { listHotspots } from '../../contract/hotspots.js';
import { toLoggedRender } from '../logged-render.js';
import type { AssetStore, RenderLogStore, Store, StoredTemplate, TemplateStore, VersionedTemplate } from '../types.js';
import type { Admin } from './admin.js';
import type { Requests } from './requests.js';

/** The verbs of the API. `Store` still has some of their predecessors. */
export interface PostgresStore extends Requests, Admin, TemplateStore, RenderLogStore, AssetStore {
  close(): Promise<void>;
}

const oldTemplate = ({ id, workspaceId, name, width, height }: VersionedTemplate): StoredTemplate => ({
  id,
  workspaceId,
  name,
  width,
  height,
});

export function withOldVerbs(store: PostgresStore): Store {
  return {
    ...store,
    countRequest: (keyId, limit) => store.countRequest(keyId, 'render', limit),
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
    appendRender: (entry) => store.appendRender(toLoggedRender(entry)),
    async listRenders(workspaceId, limit) {
      return [...(await store.listRenders(workspaceId, {}, { limit })).items];
    },
  };
}
