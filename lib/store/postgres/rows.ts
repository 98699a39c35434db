// Rows of the database ↔ what everybody else knows them as.
import { addCredits } from '../credits.js';
import type { ApiKey, Plan, Scope, StoredTemplate, Workspace } from '../types.js';

const MILLIONTHS = 1e6;
/** Longest id that is asked for; ours have some 30 characters. */
const MAX_ID = 200;

/** bigint, which comes as text: credits are below 2^53 millionths. */
export type Amount = string;

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly balance: Amount;
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

export function creditsOf(amount: Amount): number {
  return Number(amount) / MILLIONTHS;
}

export function amountOf(credits: number): number {
  return Math.round(addCredits(credits, 0) * MILLIONTHS);
}

export function workspaceOf({ id, name, plan, balance }: WorkspaceRow): Workspace {
  return { id, name, plan, balance: creditsOf(balance) };
}

export function keyOf({ id, workspace_id, name, scopes, state, created_at }: KeyRow): ApiKey {
  return { id, workspaceId: workspace_id, name, scopes, state, createdAt: created_at.toISOString() };
}

export function templateOf({ id, workspace_id, name, width, height }: TemplateRow): StoredTemplate {
  return { id, workspaceId: workspace_id, name, width, height };
}

/** Whether `text` can be an id at all. PostgreSQL's text holds no NUL, and a megabyte of nonsense need not travel. */
export function isId(text: string): boolean {
  return text.length <= MAX_ID && !text.includes('\0');
}

/** A name as the database can hold it. */
export function nameOf(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
