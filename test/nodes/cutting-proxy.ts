// A proxy in front of a node that cuts a share of the connections: in the middle of the request, or before the answer.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** Connections so far, and those that were cut. */
  counted(): { readonly connections: number; readonly cut: number };
  close(): void;
}

/** `target` returns the node's URL, which changes when it is restarted; `random` draws whether to cut, and when. */
export async function startCuttingProxy(
  target: () => string,
  share: number,
  random: () => number,
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let [connections, cut] = [0, 0];
  const listener = createServer((client) => {
    connections++;
    const isCut = random() < share;
    const cutsRequest = isCut && random() < 0.3;
    if (isCut) cut++;
    const node = connect(Number(new URL(target()).port), '127.0.0.1');
    const end = () => {
      client.destroy();
      node.destroy();
    };
    for (const socket of [client, node]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      node.write(cutsRequest ? bytes.subarray(0, bytes.length - 1) : bytes);
      if (cutsRequest) end();
    });
    node.on('data', (bytes) => {
      if (isCut) end();
      else client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    counted: () => ({ connections, cut }),
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
