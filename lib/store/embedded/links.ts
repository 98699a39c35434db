// The operations on link keys.
import { linkKeyLimit, newId, notFound } from '../refusals.js';
import { type AdminStore, MAX_LINK_KEYS, type RequestStore } from '../types.js';
import { find, findWorkspace, isDeleted, newestFirst, type StoreContext } from './context.js';
import { type LinkRow, linkKeyOf, workspaceOf } from './rows.js';
import type { KeyUse } from './usage/key-use.js';

export type LinkAdmin = Pick<AdminStore, 'createLinkKey' | 'listLinkKeys' | 'revokeLinkKey'>;

export function createLinks(
  { tables, now }: StoreContext,
  linkUse: KeyUse<LinkRow>,
): LinkAdmin & Pick<RequestStore, 'findLinkKey'> {
  const { workspaces, links } = tables;
  return {
    async createLinkKey({ workspaceId, name, publicKey }) {
      const createdAt = now().toISOString();
      const row: LinkRow = { id: newId('link'), workspaceId, name, publicKey, state: 'active', createdAt };
      findWorkspace(workspaces.rows, workspaceId);
      return links.change((draft) => {
        findWorkspace(workspaces.rows, workspaceId);
        let active = 0;
        for (const each of draft.rows.values()) {
          if (each.workspaceId === workspaceId && each.state === 'active') active++;
        }
        if (active >= MAX_LINK_KEYS) throw linkKeyLimit();
        draft.set(row.id, row);
        return linkKeyOf(row);
      });
    },
    async listLinkKeys(workspaceId) {
      findWorkspace(workspaces.rows, workspaceId);
      return newestFirst(links.rows)
        .filter((row) => row.workspaceId === workspaceId)
        .map((row) => linkKeyOf(linkUse.addTo(row)));
    },
    async revokeLinkKey(id) {
      return links.change((draft) => {
        const row = find(draft.rows, id, 'link key');
        if (isDeleted(tables, row)) throw notFound(id, 'link key');
        if (row.state === 'revoked') return linkKeyOf(linkUse.addTo(row));
        const revoked: LinkRow = { ...row, state: 'revoked', revokedAt: now().toISOString() };
        draft.set(id, revoked);
        return linkKeyOf(linkUse.addTo(revoked));
      });
    },
    async findLinkKey(id) {
      const row = links.rows.get(id);
      const owner = row && workspaces.rows.get(row.workspaceId);
      if (!owner || owner.deletedAt !== undefined) return undefined;
      return { key: linkKeyOf(linkUse.addTo(row)), workspace: workspaceOf(owner) };
    },
  };
}
