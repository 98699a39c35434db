// Serves admin commands while a server holds the data folder, through a local socket that only its own user can open.
// The protocol is lines of JSON: { id, verb, arguments } → { id, result } or { id, error: { name, message, … } }.
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../contract/schema/fields.js';
import { readLines } from '../lines.js';
import { type Store, StoreError, type StoreErrorCode } from '../types.js';

export const ADMIN_VERBS = [
  'createWorkspace',
  'listWorkspaces',
  'createKey',
  'listKeys',
  'revokeKey',
  'createLinkKey',
  'listLinkKeys',
  'revokeLinkKey',
  'balance',
  'grant',
  'updateWorkspace',
  'deleteWorkspace',
  'revokeCredits',
  'createTemplate',
  'replaceTemplate',
  'restoreTemplate',
  'publishTemplate',
  'deleteTemplate',
  'getTemplate',
  'getTemplateRecord',
  'listTemplates',
  'listTemplateVersions',
  'findBrand',
  'replaceBrand',
  'listRenders',
  'findRender',
  'addAsset',
  'findAsset',
  'readAsset',
  'listAssets',
  'deleteAsset',
  'createOperator',
  'listOperators',
  'removeOperator',
  'createSignInToken',
  'appendAudit',
  'listAudit',
  'listLedger',
  'dailyUsage',
] as const satisfies readonly (keyof Store)[];

/** The operations of the admin commands. */
export type AdminVerbs = Pick<Store, (typeof ADMIN_VERBS)[number]>;

/** Precedes each verb. Programs whose verbs have other arguments have another one, and reject each other's requests. */
export const PROTOCOL = 'v2.';

export interface AdminRequest {
  readonly id: number;
  readonly verb: string;
  readonly arguments: readonly unknown[];
}

export interface AdminReply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly code?: StoreErrorCode | undefined;
    readonly templates?: readonly string[];
  };
}

/** A value as JSON. Bytes, which JSON has not, are base64 text; they occur only as a whole argument or result. */
export function encodeValue(value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value;
}

/** The value that `encodeValue` encoded. JSON has no undefined: it arrives as null. */
export function decodeValue(value: unknown): unknown {
  if (isObject(value) && typeof value.$bytes === 'string') return Buffer.from(value.$bytes, 'base64');
  return value ?? undefined;
}

export interface AdminSocket {
  readonly path: string;
  /** Finishes the requests in progress and closes all connections. */
  close(): Promise<void>;
}

/** Longest socket path that every system accepts (macOS: 104 bytes with the final zero, Linux: 108). */
const MAX_SOCKET_PATH_BYTES = 103;

/** Serves `store` to the admin commands of `folder`, whose lock the caller holds. */
export async function serveAdminSocket(folder: string, store: AdminVerbs): Promise<AdminSocket> {
  const connections = new Set<Socket>();
  const inProgress = new Set<Promise<void>>();
  let closing = false;
  const handleConnection = async (connection: Socket) => {
    for await (const line of readLines(connection)) {
      // This request is not started. The client gets no reply and reports that.
      if (closing) return;
      const answered = answer(line, store).then((reply) => writeLine(connection, reply));
      inProgress.add(answered);
      await answered.finally(() => inProgress.delete(answered));
    }
  };
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    // A client that disconnects or sends invalid JSON is disconnected.
    handleConnection(connection)
      .catch(() => undefined)
      .finally(() => connection.destroy());
  });
  const path = await listen(server, folder);
  return {
    path,
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.allSettled(inProgress);
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

/** Resolves when the line has been sent or the connection is closed. */
function writeLine(connection: Socket, line: string): Promise<void> {
  return new Promise((resolve) => connection.write(line, () => resolve()));
}

/** Listens in the folder if possible, else in the temporary folder; returns the socket's path. */
async function listen(server: Server, folder: string): Promise<string> {
  const name = `platen-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return await listenAt(server, `\\\\.\\pipe\\${name}`);
  const inFolder = join(folder, 'control.sock');
  if (Buffer.byteLength(inFolder) <= MAX_SOCKET_PATH_BYTES) {
    try {
      // This process holds the folder's lock, so an existing socket is a leftover.
      await rm(inFolder, { force: true });
      return await listenAt(server, inFolder);
    } catch {
      // Some file systems do not support sockets.
    }
  }
  return await listenAt(server, join(tmpdir(), `${name}.sock`));
}

function listenAt(server: Server, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // `listen` creates the socket file synchronously: with this umask other users can never open it.
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        resolve(path);
      });
    } finally {
      process.umask(mask);
    }
  });
}

/** Runs the request in `line` and returns the reply line. */
async function answer(line: string, store: AdminVerbs): Promise<string> {
  const { id, verb, arguments: values } = JSON.parse(line) as AdminRequest;
  const reply = await perform(verb, values, store).then(
    (result): AdminReply => ({ id, result: encodeValue(result) }),
    (error: Error): AdminReply => ({ id, error: describeError(error) }),
  );
  return `${JSON.stringify(reply)}\n`;
}

function describeError(error: Error): NonNullable<AdminReply['error']> {
  const { name, message } = error;
  return error instanceof StoreError
    ? { name, message, code: error.code, templates: error.templates }
    : { name, message };
}

async function perform(verb: string, values: readonly unknown[], store: AdminVerbs): Promise<unknown> {
  const knownVerb = ADMIN_VERBS.find((name) => PROTOCOL + name === verb);
  if (!knownVerb) throw new StoreError('the server runs another version of the program: restart it');
  const method = store[knownVerb] as (...values: unknown[]) => Promise<unknown>;
  return await method(...values.map(decodeValue));
}
