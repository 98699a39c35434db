// Makes a server listen, and turns a failure into a message that names the setting at fault.
import type { ListenOptions, Server } from 'node:net';

/** Names of the host and port settings, for error messages. */
export type AddressNames = readonly [host: string, port: string];

/** Thrown when an address is not available; the message is one line that names the setting. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** Whether the setting itself is invalid on this machine, rather than in conflict with other programs. */
  readonly isMisuse: boolean;

  constructor(
    cause: NodeJS.ErrnoException,
    { host = '', port = 0 }: ListenOptions,
    [hostName, portName]: AddressNames,
  ) {
    const quoted = JSON.stringify(host);
    const messages = new Map([
      ['EADDRINUSE', `${portName}: port ${port} of ${host} is in use by another program; choose another port`],
      ['EACCES', `${portName}: no permission to listen on port ${port}; choose one from 1024 up`],
      ['EADDRNOTAVAIL', `${hostName}: ${quoted} is not an address of this machine; 0.0.0.0 means all of its addresses`],
      ['ENOTFOUND', `${hostName}: no such host: ${quoted}`],
      ['EAI_AGAIN', `${hostName}: no name server answered for ${quoted}`],
    ]);
    const { code = '' } = cause;
    super(messages.get(code) ?? `${hostName} ${quoted}, ${portName} ${port}: can't listen there: ${cause.message}`, {
      cause,
    });
    this.isMisuse = code !== 'EADDRINUSE' && code !== 'EACCES';
  }
}

/** Resolves when `server` listens. Throws ListenError. */
export function listen(
  server: Server,
  options: ListenOptions & { readonly host: string; readonly port: number },
  names: AddressNames,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new ListenError(cause, options, names));
    server.once('error', fail);
    server.listen(options, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
