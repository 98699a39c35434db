// The audit log in SQL. The oldest entries are deleted, so the log is bounded.
import { decodeCursor } from '../cursor.js';
import type { Actor, AuditEntry, AuditFilter, AuditStore } from '../operator-store.js';
import type { PageRequest } from '../types.js';
import type { Database, Statement } from './pool.js';
import { boundedText } from './render-log.js';
import { type BigintText, escapeName, newId } from './rows.js';
import { pageOf } from './templates.js';

/** Number of entries that are kept. */
const KEPT_ENTRIES = 1_000_000;

/** More than any position: where the list starts. */
const START = String(10n ** 18n);

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
  readonly id: string;
  readonly ordinal: BigintText;
  readonly time: Date;
  readonly actor_kind: Actor['kind'];
  readonly actor_name: string | null;
  readonly workspace_id: string | null;
  readonly action: string;
  readonly subject: string | null;
  /** JSON. */
  readonly details: string | null;
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
      const rows = await database.query<AuditRow>(...listStatement(filter, page), 'once');
      return pageOf(rows, page.limit, auditEntryOf, ({ ordinal }) => ordinal);
    },
  };
}

function listStatement(
  { workspaceIds, action }: AuditFilter,
  { limit, cursor }: PageRequest,
): [Statement, readonly unknown[]] {
  const values: unknown[] = [cursor === undefined ? START : decodeCursor(cursor, 1)[0], limit + 1];
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

export function auditEntryOf({
  id,
  time,
  actor_kind,
  actor_name,
  workspace_id,
  action,
  subject,
  details,
}: AuditRow): AuditEntry {
  return {
    id,
    time: time.toISOString(),
    actor: actor_kind === 'command' ? { kind: actor_kind } : { kind: actor_kind, name: actor_name ?? '' },
    action,
    ...(workspace_id !== null && { workspaceId: workspace_id }),
    ...(subject !== null && { subject }),
    ...(details !== null && { details: JSON.parse(details) }),
  };
}
