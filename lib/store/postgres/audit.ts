// The audit log in SQL. The oldest entries are deleted, so the log is bounded.

import type { Actor, AuditEntry, AuditFilter, AuditStore } from '../operator-store.js';
import { newId } from '../refusals.js';
import type { Database, Statement } from './pool.js';
import { boundedText } from './render-log.js';
import { converter, escapeName, pageOf } from './rows.js';

/** Number of entries that are kept. */
const KEPT_ENTRIES = 1_000_000;

/** A second attempt with the same id changes nothing. */
const APPEND: Statement = {
  name: 'append_audit',
  text: `WITH added AS (
      INSERT INTO platen.audit_log (id, actor_kind, actor_name, workspace_id, action, subject, details)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING
    ) DELETE FROM platen.audit_log WHERE ordinal IN (
      SELECT ordinal FROM platen.audit_log WHERE ordinal <= (SELECT max(ordinal) FROM platen.audit_log) - ${KEPT_ENTRIES}
      ORDER BY ordinal LIMIT 2 FOR UPDATE SKIP LOCKED
    )`,
};

interface AuditRow {
  readonly actor_kind: Actor['kind'];
  readonly actor_name: string | null;
}

export function createAudit(database: Database): AuditStore {
  return {
    async appendAudit({ actor, action, workspaceId, subject, details }) {
      const values = [
        ...[newId('audit'), actor.kind, actor.name === undefined ? null : escapeName(actor.name)],
        ...[workspaceId ?? null, action, subject === undefined ? null : boundedText(subject)],
        details === undefined ? null : JSON.stringify(details),
      ];
      await database.query(APPEND, values, 'once');
    },
    async listAudit(filter, page) {
      const query = (...values: [before: string, rows: number]) =>
        database.query<AuditRow>(...listStatement(filter, values), 'once');
      return await pageOf(page, query, (row) => auditEntryOf(row as AuditRow));
    },
  };
}

function listStatement({ workspaceIds, action }: AuditFilter, values: unknown[]): [Statement, readonly unknown[]] {
  const conditions = ['ordinal < $1'];
  let name = 'list_audit';
  if (workspaceIds !== undefined) {
    conditions.push(`workspace_id = ANY ($${values.push(workspaceIds)}::text[])`);
    name += '_workspaces';
  }
  if (action !== undefined) {
    conditions.push(`action = $${values.push(escapeName(action))}`);
    name += '_action';
  }
  const text = `SELECT id, ordinal, time, actor_kind, actor_name, workspace_id, action, subject, details
    FROM platen.audit_log WHERE ${conditions.join(' AND ')} ORDER BY ordinal DESC LIMIT $2`;
  return [{ name, text }, values];
}

const fieldsOf = converter<Omit<AuditEntry, 'actor'>>('id time action workspace_id subject details');

export function auditEntryOf(row: AuditRow): AuditEntry {
  const { actor_kind: kind, actor_name: name } = row;
  const { id, time, ...others } = fieldsOf(row);
  return { id, time, actor: kind === 'command' ? { kind } : { kind, name: name ?? '' }, ...others };
}
