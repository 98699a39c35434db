// The row types of the embedded store's tables, and the checks of rows that are read from files.
import { isObject } from '../../contract/fields.js';
import type { ApiKey, StoredTemplate, Workspace } from '../types.js';
import type { TableDefinition } from './snapshot.js';

/** The fields that all rows have. */
export interface AnyRow {
  readonly id: string;
}

/** A key with the SHA-256 by which it is looked up. */
export interface KeyRow extends ApiKey {
  readonly hash: string;
}

/** A template with its imported record. */
export interface TemplateRow extends StoredTemplate {
  readonly record: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isAmount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

export const WORKSPACES: TableDefinition<Workspace> = {
  table: 'workspaces',
  isRow: (row): row is Workspace =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.name) &&
    (row.plan === 'free' || row.plan === 'paid') &&
    isAmount(row.balance),
};

export const KEYS: TableDefinition<KeyRow> = {
  table: 'keys',
  isRow: (row): row is KeyRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    isText(row.name) &&
    Array.isArray(row.scopes) &&
    row.scopes.every(isText) &&
    (row.state === 'active' || row.state === 'revoked') &&
    isText(row.createdAt) &&
    isText(row.hash) &&
    /^[0-9a-f]{64}$/.test(row.hash),
};

export const TEMPLATES: TableDefinition<TemplateRow> = {
  table: 'templates',
  isRow: (row): row is TemplateRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    isText(row.name) &&
    isAmount(row.width) &&
    isAmount(row.height) &&
    isObject(row.record),
};

/** The public fields of a key: without its hash and without fields that a later version may have added. */
export function keyOf({ id, workspaceId, name, scopes, state, createdAt }: KeyRow): ApiKey {
  return { id, workspaceId, name, scopes, state, createdAt };
}

export function workspaceOf({ id, name, plan, balance }: Workspace): Workspace {
  return { id, name, plan, balance };
}

export function templateOf({ id, workspaceId, name, width, height }: TemplateRow): StoredTemplate {
  return { id, workspaceId, name, width, height };
}
