// A name server on the loopback address that says what it is told to, or nothing at all (RFC 1035, one question a packet).
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import type { Test } from 'tap';

export interface NameServer {
  /** `address:port`. */
  readonly address: string;
  /** Names asked for, as they were asked. */
  readonly asked: string[];
}

/** `records` by name: addresses; undefined when there is no such name; 'silent' gets no answer. */
export async function startNameServer(
  t: Test,
  recordsOf: (name: string) => readonly string[] | 'silent' | undefined,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] > 0; at += query[at] + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    const name = labels.join('.');
    const type = query.readUInt16BE(at + 1);
    asked.push(name);
    const records = recordsOf(name);
    if (records === 'silent') return;
    const wanted = (records ?? []).filter((address) => isIPv4(address) === (type === 1));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(records ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(wanted.length, 6);
    header.fill(0, 8, 12);
    const answers = wanted.map((address) => {
      const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : sixteen(address);
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), client.port, client.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

/** The bytes of an IPv6 address. */
function sixteen(address: string): Buffer {
  const [head, tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - head.length - (tail?.length ?? 0)).fill('0');
  const groups = [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
}
