// Wraps a store so that every change that an actor makes through it is in the audit log. This is the only place that knows
// which operation has which action, subject and details. Raw keys, tokens, hashes and passwords never get here or are left out.
import type { Actor, AuditEntry, AuditStore, OperatorStore } from './operator-store.js';
import type {
  AdminStore,
  AssetStore,
  BrandStore,
  Store,
  StoredAsset,
  TemplateStore,
  VersionedTemplate,
} from './types.js';

/** The operations that the audit log records. */
type AuditedStore = AdminStore & TemplateStore & BrandStore & AssetStore & OperatorStore;
type Event = Pick<AuditEntry, 'action' | 'workspaceId' | 'subject' | 'details'>;

/** Describes a call that succeeded; undefined when it changed nothing. */
type Describe<Verb extends keyof AuditedStore> = (
  result: Awaited<ReturnType<AuditedStore[Verb]>>,
  values: Parameters<AuditedStore[Verb]>,
  store: Partial<OperatorStore>,
) => Event | undefined | Promise<Event>;

const event = (action: string, subject: string, workspaceId?: string, details?: AuditEntry['details']): Event => ({
  action,
  subject,
  ...(workspaceId !== undefined && { workspaceId }),
  ...(details && { details }),
});

const templateEvent = (
  action: string,
  { id, workspaceId, name, version, publishedVersion }: VersionedTemplate,
  details: AuditEntry['details'] = {},
) => event(action, id, workspaceId, { name, version, isPublished: publishedVersion === version, ...details });

const assetEvent = (action: string, { id, workspaceId, mimeType, bytes }: StoredAsset) =>
  event(action, id, workspaceId, { mimeType, bytes });

const AUDITED: { readonly [Verb in keyof AuditedStore]?: Describe<Verb> } = {
  createWorkspace: ({ id, name, plan, balance }) => event('workspace.create', id, id, { name, plan, credits: balance }),
  updateWorkspace: ({ id, name, plan }) => event('workspace.update', id, id, { name, plan }),
  deleteWorkspace: ({ id, name, balance }) => event('workspace.delete', id, id, { name, credits: balance }),
  createKey: ({ id, workspaceId, name, scopes, rateLimit }) =>
    event('key.create', id, workspaceId, {
      name,
      scopes: scopes.join(','),
      ...(rateLimit !== undefined && { rateLimit }),
    }),
  revokeKey: ({ id, workspaceId, name }) => event('key.revoke', id, workspaceId, { name }),
  createLinkKey: ({ id, workspaceId, name }) => event('link.create', id, workspaceId, { name }),
  revokeLinkKey: ({ id, workspaceId, name }) => event('link.revoke', id, workspaceId, { name }),
  grant: ({ workspaceId, balance }, [, amount]) =>
    event('credits.grant', workspaceId, workspaceId, { amount, balance }),
  revokeCredits: ({ workspaceId, balance }, [, amount]) =>
    event('credits.revoke', workspaceId, workspaceId, { amount, balance }),
  createTemplate: (template) => templateEvent('template.create', template),
  replaceTemplate: (template) => templateEvent('template.update', template),
  restoreTemplate: (template, [, restored]) => templateEvent('template.restore', template, { restored }),
  publishTemplate: ({ id, workspaceId, name }, [, version]) =>
    event('template.publish', id, workspaceId, { name, version }),
  deleteTemplate: ({ id, workspaceId, name }) => event('template.delete', id, workspaceId, { name }),
  replaceBrand: ({ version }, [workspaceId]) => event('brand.update', workspaceId, workspaceId, { version }),
  addAsset: ({ asset, isNew }) => (isNew ? assetEvent('asset.add', asset) : undefined),
  deleteAsset: (asset) => assetEvent('asset.delete', asset),
  createOperator: ({ id, name, role, workspaces }) =>
    event('operator.create', id, undefined, { name, role, ...(workspaces && { workspaces: workspaces.join(',') }) }),
  removeOperator: ({ id, name, role }) => event('operator.remove', id, undefined, { name, role }),
  createSignInToken: async (_result, [operatorId], { listOperators }) => {
    const name = (await listOperators?.().catch(() => []))?.find(({ id }) => id === operatorId)?.name;
    return event('operator.link', operatorId, undefined, name === undefined ? undefined : { name });
  },
  setPassword: (operator) => operator && event('operator.password', operator.id, undefined, { name: operator.name }),
};

/** Called when a change was made, and its entry could not be written. */
export type OnLostEntry = (message: string) => void;

/**
 * The same store, whose changes are made by `actor`. An entry that can't be written undoes nothing: the change is made, and
 * its result, such as a new key, must not be lost.
 */
export function audited<
  Audited extends Partial<Omit<Store, 'close'>> & Partial<OperatorStore> & Pick<AuditStore, 'appendAudit'>,
>(store: Audited, actor: Actor, onLost: OnLostEntry = (message) => process.emitWarning(message)): Audited {
  const wrapped: Record<string, unknown> = {};
  for (const [verb, describe] of Object.entries(AUDITED)) {
    const method = store[verb as keyof Audited] as ((...values: unknown[]) => Promise<unknown>) | undefined;
    if (!method) continue;
    wrapped[verb] = async (...values: unknown[]) => {
      const result = await method(...values);
      const event = await (describe as Describe<keyof AuditedStore>)(result as never, values as never, store);
      if (event) {
        await store
          .appendAudit({ actor, ...event })
          .catch((error: Error) => onLost(`the audit log lacks ${event.action}: ${error.message}`));
      }
      return result;
    };
  }
  return { ...store, ...wrapped };
}
