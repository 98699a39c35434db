// The operators of the dashboard with their passwords, sign-in links and sessions. The use of a session is noted in memory,
// and written in the background.

import { Notes } from '../../notes.js';
import type { Operator, OperatorStore, StoredSecret } from '../../operator-store.js';
import { duplicateOperator, lastOwner, newId, notFound } from '../../refusals.js';
import { find, findWorkspace, newestFirst, type StoreContext } from '../context.js';
import { type OperatorRow, operatorOf, type SessionRow } from '../rows.js';

/** Sessions of one operator. A sign-in beyond them ends the one that was used least recently. */
const MAX_SESSIONS = 50;

export interface Operators extends OperatorStore {
  /** Writes what was noted. Never rejects. */
  writeUses(): Promise<void>;
}

export function createOperators({ tables, now }: StoreContext): Operators {
  const { operators, workspaces } = tables;
  const isValid = ({ expiresAt }: StoredSecret) => new Date(expiresAt) > now();
  /** Times of sessions' last use by their hash, ISO 8601. */
  const uses: Notes<string> = new Notes({
    merge: (_earlier, later) => later,
    write: (notes, onCommit) =>
      operators.change((draft) => {
        for (const row of draft.rows.values()) {
          if (!row.sessions.some(({ hash }) => notes.has(hash))) continue;
          const sessions = row.sessions.filter(isValid);
          draft.set(row.id, { ...row, sessions: sessions.map((each) => ({ ...each, usedAt: lastUse(each) })) });
        }
      }, onCommit),
  });
  const lastUse = ({ hash, usedAt }: SessionRow): string => uses.get(hash) ?? usedAt;

  const rowOfToken = (rows: ReadonlyMap<string, OperatorRow>, tokenHash: string) =>
    [...rows.values()].find(({ token }) => token?.hash === tokenHash && isValid(token));

  function findSession(hash: string): { readonly row: OperatorRow; readonly session: SessionRow } | undefined {
    for (const row of operators.rows.values()) {
      const session = row.sessions.find((each) => each.hash === hash);
      if (session) return { row, session };
    }
    return undefined;
  }

  return {
    async hasOperators() {
      return operators.rows.size > 0;
    },
    async createOperator({ name, role, workspaces: ids }) {
      const createdAt = now().toISOString();
      return operators.change((draft) => {
        for (const id of ids ?? []) findWorkspace(workspaces.rows, id);
        for (const other of draft.rows.values()) {
          if (other.name === name) throw duplicateOperator(name);
        }
        const row: OperatorRow = { id: newId('op'), name, role, workspaces: ids, createdAt, sessions: [] };
        draft.set(row.id, row);
        return operatorOf(row);
      });
    },
    async listOperators() {
      return newestFirst(operators.rows).map(operatorOf);
    },
    async findOperator(name) {
      const row = [...operators.rows.values()].find((each) => each.name === name);
      return row && { operator: operatorOf(row), passwordHash: row.passwordHash };
    },
    async removeOperator(id) {
      return operators.change((draft) => {
        const row = find(draft.rows, id, 'operator');
        const isOtherOwner = (other: OperatorRow) => other.role === 'owner' && other.id !== id;
        if (row.role === 'owner' && ![...draft.rows.values()].some(isOtherOwner)) throw lastOwner(row.name);
        draft.delete(id);
        return operatorOf(row);
      });
    },
    async createSignInToken(operatorId, { hash, expiresAt }) {
      await operators.change((draft) => {
        const row = find(draft.rows, operatorId, 'operator');
        draft.set(row.id, { ...row, token: { hash, expiresAt } });
      });
    },
    async findSignInToken(hash) {
      const row = rowOfToken(operators.rows, hash);
      return row && operatorOf(row);
    },
    async setPassword(tokenHash, passwordHash) {
      return operators.change((draft): Operator | undefined => {
        const row = rowOfToken(draft.rows, tokenHash);
        if (!row) return undefined;
        const { token: _token, ...others } = row;
        const changed: OperatorRow = { ...others, passwordHash, sessions: [] };
        draft.set(row.id, changed);
        return operatorOf(changed);
      });
    },
    async createSession(operatorId, { hash, expiresAt }, passwordHash) {
      const usedAt = now().toISOString();
      await operators.change((draft) => {
        const row = find(draft.rows, operatorId, 'operator');
        if (passwordHash !== undefined && row.passwordHash !== passwordHash) throw notFound(operatorId, 'operator');
        const sessions = row.sessions
          .filter(isValid)
          .sort((a, b) => lastUse(b).localeCompare(lastUse(a)))
          .slice(0, MAX_SESSIONS - 1);
        draft.set(row.id, { ...row, sessions: [...sessions, { hash, expiresAt, usedAt }] });
      });
    },
    async useSession(hash, idleMs) {
      const found = findSession(hash);
      if (!found || !isValid(found.session)) return undefined;
      const time = now();
      if (time.getTime() - new Date(lastUse(found.session)).getTime() >= idleMs) return undefined;
      uses.add(hash, time.toISOString());
      return operatorOf(found.row);
    },
    async endSession(hash) {
      await operators.change((draft) => {
        for (const row of draft.rows.values()) {
          const sessions = row.sessions.filter((each) => each.hash !== hash);
          if (sessions.length < row.sessions.length) draft.set(row.id, { ...row, sessions });
        }
      });
      uses.delete(hash);
    },
    async writeUses() {
      await uses.write();
    },
  };
}
