// A server's socket, opened; and what is wrong with the address where it can't be.
import type { ListenOptions, Server } from 'node:net';

/** Names of the settings that say where to listen. */
export type AddressNames = readonly [host: string, port: string];

/** Thrown when an address can't be had; the message is one line that names the setting. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** Whether the setting makes no sense on this machine, whatever else runs there. */
  readonly isMisuse: boolean;

  constructor(
    cause: NodeJS.ErrnoException,
    { host = '', port = 0 }: ListenOptions,
    [hostName, portName]: AddressNames,
  ) {
    const shown = JSON.stringify(host);
    const messages = new Map([
      ['EADDRINUSE', `${portName}: port ${port} of ${host} is in use by another program; choose another port`],
      ['EACCES', `${portName}: no permission to listen on port ${port}; choose one from 1024 up`],
      ['EADDRNOTAVAIL', `${hostName}: ${shown} is no address of this machine; 0.0.0.0 means all of its addresses`],
      ['ENOTFOUND', `${hostName}: no such host: ${shown}`],
      ['EAI_AGAIN', `${hostName}: no name server answers for ${shown}`],
    ]);
    const { code = '' } = cause;
    super(messages.get(code) ?? `${hostName} ${shown}, ${portName} ${port}: can't listen there: ${cause.message}`, {
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
    const refuse = (cause: Error) => reject(new ListenError(cause, options, names));
    server.once('error', refuse);
    server.listen(options, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}
