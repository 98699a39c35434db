// Which addresses an asset may be fetched from: the public internet but for this machine, and what the operator has named.
// A literal address in, a verdict out, so the same rule serves URL literals, every DNS answer and the connected socket.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Asked for every address before it is connected to. `hostname` is what the URL said (brackets of an IPv6 literal removed). */
export type AllowAddress = (address: string, hostname: string, port: number) => boolean;

/** Every address may be fetched: for the library and the command line, whose user is the machine's. */
export const allowAllAddresses: AllowAddress = () => true;

/** IANA IPv4 Special-Purpose Address Registry, with multicast and the reserved class E. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared (carrier-grade NAT; some clouds' metadata)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay anycast, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** What within 2000::/3 is not public; everything outside 2000::/3 is special to begin with. */
const SPECIAL_IPV6 = [
  '2001::/23', // IETF protocol assignments: Teredo, ORCHID, benchmarking, …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: wraps an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** What is special, and what is public at all: made when the first address is asked for. */
let special: BlockList | undefined;
let global: BlockList | undefined;

function listOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ipv4) list.addSubnet(...split(range), 'ipv4');
  for (const range of ipv6) list.addSubnet(...split(range), 'ipv6');
  return list;
}

function split(range: string): [network: string, prefix: number] {
  const [network, prefix] = range.split('/');
  return [network, Number(prefix)];
}

/**
 * Whether `address` (a literal, no brackets) belongs to the public internet. IPv6 forms that carry an IPv4 address
 * (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) never do: nothing public is published under them alone.
 */
export function isPublic(address: string): boolean {
  special ??= listOf(SPECIAL_IPV4, SPECIAL_IPV6);
  global ??= listOf([], ['2000::/3']);
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  // A zone ("fe80::1%eth0") makes sense on a link only.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (!global.check(address, 'ipv6') || special.check(address, 'ipv6')) return false;
  return !isIsatap(address);
}

/** ISATAP (RFC 5214): an interface identifier of 0:5efe or 200:5efe before an IPv4 address, under any prefix. */
function isIsatap(address: string): boolean {
  const groups = expand(address);
  return (groups[4] & ~0x0200) === 0 && groups[5] === 0x5efe;
}

/** The eight groups of a valid IPv6 literal. */
function expand(address: string): number[] {
  // The URL parser writes an embedded dotted quad as two groups, and shortens the rest in one way only.
  const [head, tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/**
 * The addresses that this machine has now: a public one leads to itself past whatever keeps strangers from its ports. None
 * where the system does not tell (a sandbox without netlink sockets): the rest of the rule holds all the same.
 */
function addressesHere(): readonly string[] {
  try {
    return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  } catch {
    return [];
  }
}

function isAmong(address: string, others: readonly string[]): boolean {
  // compared as numbers: an IPv6 address has many spellings
  const list = new BlockList();
  for (const other of others) {
    if (isIPv4(other)) list.addAddress(other, 'ipv4');
    else if (isIPv6(other)) list.addAddress(other.replace(/%.*/, ''), 'ipv6');
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Where the web is served; other ports belong to databases, mail and the like. */
const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443];

/**
 * The public internet on `ports` but for this machine, and the operator's exceptions: each a host name or literal address,
 * alone (every port) or with `:port`; IPv6 literals with a port in brackets. An exception frees whatever its host resolves
 * to. `own`: the addresses of this machine, asked for anew each time. Throws RangeError on an entry that is neither.
 */
export function allowPublic(
  exceptions: readonly string[] = [],
  ports = WEB_PORTS,
  own: () => readonly string[] = addressesHere,
): AllowAddress {
  const allowed = new Set(exceptions.map(normalise));
  return (address, hostname, port) => {
    if (isPublic(address) && ports.includes(port) && !isAmong(address, own())) return true;
    const host = hostname.toLowerCase();
    return allowed.has(host) || allowed.has(`${host} ${port}`);
  };
}

/** `Host[:port]` → `host` or `host port`, spelled as the URL parser spells hosts. */
function normalise(entry: string): string {
  const literal = isIPv6(entry) ? `[${entry}]` : entry.trim();
  const port = /:(\d+)$/.exec(literal)?.[1];
  const host = port ? literal.slice(0, -port.length - 1) : literal;
  if (!URL.canParse(`http://${host}/`) || /[/@?#\s]/.test(host) || host === '' || Number(port ?? 1) > 65535) {
    throw new RangeError(`${JSON.stringify(entry)} is not a host or host:port`);
  }
  const { hostname } = new URL(`http://${host}/`);
  const bare = hostname.replace(/^\[|\]$/g, '');
  return port ? `${bare} ${Number(port)}` : bare;
}
