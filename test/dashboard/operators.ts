// The store's operations for operators, sessions, audit and usage, in memory, for a store that lacks them.
import { randomUUID } from 'node:crypto';
import type { AuditEntry, Operator, StoredSecret } from '../../lib/store/operator-store.js';
import { type DashboardStore, type Store, StoreError } from '../../lib/store/types.js';

interface Account {
  operator: Operator;
  passwordHash: string | undefined;
  token: StoredSecret | undefined;
  sessions: Map<string, { expiresAt: string; usedAt: number }>;
}

export function withOperators(store: Store): DashboardStore {
  const accounts = new Map<string, Account>();
  const audit: AuditEntry[] = [];
  const find = (id: string) => {
    const account = accounts.get(id);
    if (!account) throw new StoreError('there is no operator with this id', { code: 'not_found' });
    return account;
  };
  const isValid = ({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt) > Date.now();
  return {
    hasOperators: async () => accounts.size > 0,
    async createOperator({ name, role, workspaces }) {
      for (const { operator } of accounts.values()) {
        if (operator.name === name)
          throw new StoreError('there is an operator of this name', { code: 'duplicate_name' });
      }
      const createdAt = new Date().toISOString();
      const operator = { id: `op_${randomUUID()}`, name, role, workspaces, hasPassword: false, createdAt };
      accounts.set(operator.id, { operator, passwordHash: undefined, token: undefined, sessions: new Map() });
      return operator;
    },
    listOperators: async () => Array.from(accounts.values(), ({ operator }) => operator).reverse(),
    async findOperator(name) {
      const account = [...accounts.values()].find(({ operator }) => operator.name === name);
      return account && { operator: account.operator, passwordHash: account.passwordHash };
    },
    async removeOperator(id) {
      const { operator } = find(id);
      const owners = [...accounts.values()].filter((account) => account.operator.role === 'owner');
      if (operator.role === 'owner' && owners.length === 1) {
        throw new StoreError('this is the last owner', { code: 'last_owner' });
      }
      accounts.delete(id);
      return operator;
    },
    async createSignInToken(id, token) {
      find(id).token = token;
    },
    async findSignInToken(hash) {
      return [...accounts.values()].find(({ token }) => token?.hash === hash && isValid(token))?.operator;
    },
    async setPassword(hash, passwordHash) {
      const account = [...accounts.values()].find(({ token }) => token?.hash === hash && isValid(token));
      if (!account) return undefined;
      account.operator = { ...account.operator, hasPassword: true };
      Object.assign(account, { passwordHash, token: undefined, sessions: new Map() });
      return account.operator;
    },
    async createSession(id, { hash, expiresAt }) {
      find(id).sessions.set(hash, { expiresAt, usedAt: Date.now() });
    },
    async useSession(hash, idleMs) {
      for (const { operator, sessions } of accounts.values()) {
        const session = sessions.get(hash);
        if (!session || !isValid(session) || Date.now() - session.usedAt > idleMs) continue;
        session.usedAt = Date.now();
        return operator;
      }
      return undefined;
    },
    async endSession(hash) {
      for (const { sessions } of accounts.values()) sessions.delete(hash);
    },
    async appendAudit(entry) {
      audit.push({ ...entry, id: randomUUID(), time: new Date().toISOString() });
    },
    listAudit: async () => ({ items: [...audit].reverse(), nextCursor: null }),
    dailyUsage: async () => [],
    listLedger: async () => ({ items: [], nextCursor: null }),
    keyRequests: async () => ({}),
    ...store,
  };
}
