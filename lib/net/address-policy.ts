// Decides which IP addresses assets may be fetched from (SSRF protection): the public internet except this machine, plus the
// operator's exceptions. It takes literal addresses, so one rule serves IP literals in URLs and DNS results.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { AllowAddress } from '../host.js';

/** Allows every address: for the library and the command line, which run for the machine's own user. */
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

/** Ranges inside 2000::/3 that are not public. Nothing outside 2000::/3 is public. */
const SPECIAL_IPV6 = [
  '2001::/23', // IETF protocol assignments: Teredo, ORCHID, benchmarking, …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** Built on first use. */
let specialRanges: BlockList | undefined;
let globalUnicast: BlockList | undefined;

function createBlockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ipv4) list.addSubnet(...parseRange(range), 'ipv4');
  for (const range of ipv6) list.addSubnet(...parseRange(range), 'ipv6');
  return list;
}

function parseRange(range: string): [network: string, prefix: number] {
  const [network, prefix] = range.split('/');
  return [network, Number(prefix)];
}

/**
 * Whether `address` (a literal without brackets) belongs to the public internet. IPv6 forms that embed an IPv4 address
 * (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) never do: no public host is reachable by such an address only.
 */
export function isPublic(address: string): boolean {
  specialRanges ??= createBlockList(SPECIAL_IPV4, SPECIAL_IPV6);
  globalUnicast ??= createBlockList([], ['2000::/3']);
  if (isIPv4(address)) return !specialRanges.check(address, 'ipv4');
  // A zone ("fe80::1%eth0") has a meaning on a local link only.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (!globalUnicast.check(address, 'ipv6') || specialRanges.check(address, 'ipv6')) return false;
  return !isIsatap(address);
}

/** ISATAP (RFC 5214): the interface identifier is 0:5efe or 200:5efe followed by an IPv4 address, under any prefix. */
function isIsatap(address: string): boolean {
  const groups = parseGroups(address);
  return (groups[4] & ~0x0200) === 0 && groups[5] === 0x5efe;
}

/** The eight 16-bit groups of a valid IPv6 literal. */
function parseGroups(address: string): number[] {
  // The URL parser normalizes a literal: dotted quads become two groups, and the longest run of zeros becomes `::`.
  const [head, tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/**
 * This machine's current addresses. A connection to its own public address would bypass the firewall. Empty if the system
 * does not list them (a sandbox without netlink sockets); the other rules still apply.
 */
function ownAddresses(): readonly string[] {
  try {
    return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  } catch {
    return [];
  }
}

function isAmong(address: string, others: readonly string[]): boolean {
  // A BlockList compares numerically: an IPv6 address has many spellings.
  const list = new BlockList();
  for (const other of others) {
    if (isIPv4(other)) list.addAddress(other, 'ipv4');
    else if (isIPv6(other)) list.addAddress(other.replace(/%.*/, ''), 'ipv6');
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Ports of web servers; other ports belong to databases, mail and other services. */
const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443];

/**
 * Allows the public internet on `ports`, except this machine, and the operator's exceptions. An exception is a host name or
 * literal address, alone (every port) or with `:port`; an IPv6 literal with a port is in brackets. It allows every address
 * that its host resolves to. `own` returns this machine's addresses and is called on each check. Throws RangeError if an
 * exception is malformed.
 */
export function allowPublic(
  exceptions: readonly string[] = [],
  ports = WEB_PORTS,
  own: () => readonly string[] = ownAddresses,
): AllowAddress {
  const allowed = new Set(exceptions.map(normalizeException));
  return (address, hostname, port) => {
    if (isPublic(address) && ports.includes(port) && !isAmong(address, own())) return true;
    const host = hostname.toLowerCase();
    return allowed.has(host) || allowed.has(`${host} ${port}`);
  };
}

/** `Host[:port]` → `host` or `host port`, normalized by the URL parser. */
function normalizeException(entry: string): string {
  const literal = isIPv6(entry) ? `[${entry}]` : entry.trim();
  const port = /:(\d+)$/.exec(literal)?.[1];
  const host = port ? literal.slice(0, -port.length - 1) : literal;
  if (!URL.canParse(`http://${host}/`) || /[/@?#\s]/.test(host) || host === '' || Number(port ?? 1) > 65535) {
    throw new RangeError(`${JSON.stringify(entry)} is not a host or host:port`);
  }
  const { hostname } = new URL(`http://${host}/`);
  const unbracketed = hostname.replace(/^\[|\]$/g, '');
  return port ? `${unbracketed} ${Number(port)}` : unbracketed;
}
