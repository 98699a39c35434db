// Describes the entries of the audit log in words.
import type { AuditAnswer } from '../../../lib/contract/dashboard.js';
import { formatBytes, formatCount, formatNumber } from '../../app/format.js';

export type AuditItem = AuditAnswer['items'][number];

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'session.create': 'Signed in',
    'session.end': 'Signed out',
    'session.fail': 'Failed to sign in',
    'session.password': 'Set a password and signed in',
    'link.create': 'Created link key',
    'link.revoke': 'Revoked link key',
    'key.create': 'Created key',
    'key.revoke': 'Revoked key',
    'credits.grant': 'Granted credits',
    'credits.revoke': 'Took credits back',
    'template.create': 'Created template',
    'template.update': 'Changed template',
    'template.publish': 'Published template',
    'template.restore': 'Restored template',
    'template.delete': 'Deleted template',
    'brand.update': 'Changed brand',
    'asset.add': 'Added asset',
    'asset.delete': 'Deleted asset',
    'workspace.create': 'Created workspace',
    'workspace.update': 'Changed workspace',
    'workspace.delete': 'Deleted workspace',
    'operator.create': 'Created operator',
    'operator.link': 'Made a sign-in link',
    'operator.password': 'Set a password',
    'operator.remove': 'Removed operator',
  }),
);

/** The actions that this version knows. */
export const ACTIONS: readonly string[] = [...WORDS.keys()];

/** Names an action: `Created key`. An unknown action stays as it is. */
export const actionWords = (action: string) => WORDS.get(action) ?? action;

/** Names the actor: an operator's name, a key's id. */
export function actorWords({ kind, name }: AuditItem['actor']): string {
  if (kind === 'command') return 'Command line';
  return name ?? 'Unknown';
}

type Value = string | number | boolean;

/** Formats of details whose value needs an explanation. */
const FORMS: Readonly<Record<string, (value: Value) => string>> = {
  name: (value) => `“${value}”`,
  amount: (value) => formatCount(Number(value), 'credit'),
  credits: (value) => formatCount(Number(value), 'credit'),
  balance: (value) => `balance ${formatNumber(Number(value))}`,
  scopes: (value) => String(value).replaceAll(',', ', '),
  workspaces: (value) => `workspaces ${String(value).replaceAll(',', ', ')}`,
  isPublished: (value) => (value ? 'published' : ''),
  restored: (value) => `from version ${value}`,
  rateLimit: (value) => `${formatCount(Number(value), 'render')} a minute`,
  mimeType: String,
  bytes: (value) => formatBytes(Number(value)),
};

/** Writes the details in one line: `“Webshop” · render:write, render:read`. */
export function detailWords({ details = {} }: AuditItem): string {
  const words = Object.entries(details).map(([field, value]) => {
    if (value === null) return '';
    return Object.hasOwn(FORMS, field) ? FORMS[field](value) : `${field} ${value}`;
  });
  return words.filter((text) => text !== '').join(' · ');
}
