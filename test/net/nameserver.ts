// A DNS server on the loopback address with configurable records, or no response (RFC 1035, one question per packet).
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import type { Test } from 'tap';

export interface NameServer {
  /** `address:port`. */
  readonly address: string;
  /** Queried names, as sent. */
  readonly queries: string[];
}

/** `recordsOf` returns a name's addresses, undefined if there is no such name, or 'silent' to send no response. */
export async function startNameServer(
  t: Test,
  recordsOf: (name: string) => readonly string[] | 'silent' | undefined,
): Promise<NameServer> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] > 0; at += query[at] + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    const name = labels.join('.');
    const type = query.readUInt16BE(at + 1);
    queries.push(name);
    const records = recordsOf(name);
    if (records === 'silent') return;
    const matching = (records ?? []).filter((address) => isIPv4(address) === (type === 1));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(records ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(matching.length, 6);
    header.fill(0, 8, 12);
    const answers = matching.map((address) => {
      const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
      const recordHeader = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([recordHeader, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), client.port, client.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, queries };
}

/** The bytes of an IPv6 address. */
function ipv6Bytes(address: string): Buffer {
  const [head, tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - head.length - (tail?.length ?? 0)).fill('0');
  const groups = [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
}
