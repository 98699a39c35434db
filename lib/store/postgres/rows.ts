// Converts between database rows and the types of the storage interface.
import { addCredits } from '../credits.js';
import type { ApiKey, Plan, Scope, StoredTemplate, Workspace } from '../types.js';

const MILLIONTHS = 1e6;
/** Longest id that is looked up, in characters; generated ids have about 30. */
const MAX_ID_LENGTH = 200;

/** A bigint column, which the driver returns as text. Credits are below 2^53 millionths, so they fit a number. */
export type BigintText = string;

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly balance: BigintText;
}

export interface KeyRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly scopes: Scope[];
  readonly state: ApiKey['state'];
  readonly created_at: Date;
}

export interface TemplateRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

export const WORKSPACE_COLUMNS = 'id, name, plan, balance';
export const KEY_COLUMNS = 'id, workspace_id, name, scopes, state, created_at';
export const TEMPLATE_COLUMNS = 'id, workspace_id, name, width, height';

export function fromMillionths(millionths: BigintText): number {
  return Number(millionths) / MILLIONTHS;
}

export function toMillionths(credits: number): number {
  return Math.round(addCredits(credits, 0) * MILLIONTHS);
}

export function workspaceOf({ id, name, plan, balance }: WorkspaceRow): Workspace {
  return { id, name, plan, balance: fromMillionths(balance) };
}

export function keyOf({ id, workspace_id, name, scopes, state, created_at }: KeyRow): ApiKey {
  return { id, workspaceId: workspace_id, name, scopes, state, createdAt: created_at.toISOString() };
}

export function templateOf({ id, workspace_id, name, width, height }: TemplateRow): StoredTemplate {
  return { id, workspaceId: workspace_id, name, width, height };
}

/** Whether `text` can be an id. PostgreSQL rejects NUL in text, and a very long text is not worth a query. */
export function isPossibleId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && !text.includes('\0');
}

/** Replaces NUL, which PostgreSQL rejects in text, by U+FFFD. */
export function escapeName(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
