// Resolves host names by the hosts file, then by the name servers, with node:dns's own sockets. getaddrinfo would occupy
// threads of the small libuv pool, which the store's writes need too: a slow name server would block them.
import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Resolve } from '../host.js';

export interface ResolverOptions {
  /** Name servers, each an address with or without a port; the system's by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** A resolv.conf, read for the search domains of short names. */
  readonly resolvFile?: string;
  /** Milliseconds for one name, all queries included. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2000;
/** A query without a response is repeated once, after this time. */
const QUERY_TIMEOUT_MS = 800;
/** The system's files and its list of name servers are read again when older than this. */
const CONFIG_TTL_MS = 10_000;
const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';

/** The system's resolver configuration. */
interface ResolverConfig {
  readonly resolver: dns.Resolver;
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Domains that are appended to short names. */
  readonly searchDomains: readonly string[];
  /** A name with fewer dots is short. */
  readonly ndots: number;
}

/**
 * Creates a resolver for any number of concurrent names. It returns IPv4 addresses before IPv6 ones; an empty list means
 * that there is no such name. Rejects if the name servers fail or the time is up.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const { timeoutMs = TIMEOUT_MS, hostsFile = HOSTS_FILE, resolvFile = '/etc/resolv.conf', servers } = options;
  let config: Promise<ResolverConfig> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readConfig(): Promise<ResolverConfig> {
    const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');
    const [hosts, resolv] = await Promise.all([textOf(hostsFile), textOf(resolvFile)]);
    const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 });
    if (servers) resolver.setServers(servers);
    return { resolver, hosts: parseHosts(hosts), ...parseResolvConf(resolv) };
  }

  return async (hostname) => {
    const now = performance.now();
    if (!config || now - readAt > CONFIG_TTL_MS) {
      config = readConfig();
      readAt = now;
    }
    return withTimeout(timeoutMs, lookUp(hostname.toLowerCase(), await config));
  };
}

async function lookUp(hostname: string, config: ResolverConfig): Promise<readonly string[]> {
  const { resolver, hosts, searchDomains, ndots } = config;
  const name = hostname.replace(/\.$/, '');
  const listed = hosts.get(name);
  if (listed) return listed;
  // RFC 6761: names under localhost are never sent to a name server.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
  const qualified = hostname.endsWith('.') ? [] : searchDomains.map((domain) => `${name}.${domain}`);
  const isShort = name.split('.').length - 1 < ndots;
  let addresses: readonly string[] = [];
  for (const candidate of isShort ? [...qualified, name] : [name, ...qualified]) {
    addresses = await queryAddresses(resolver, candidate);
    if (addresses.length > 0) break;
  }
  return addresses;
}

/** Queries A and AAAA records; empty if there is no such name. Rejects if a query fails and there is no address. */
async function queryAddresses(resolver: dns.Resolver, name: string): Promise<readonly string[]> {
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  const failure = failures.find((error) => !NO_RECORDS.has((error as NodeJS.ErrnoException).code ?? ''));
  if (addresses.length === 0 && failure) throw failure;
  return addresses;
}

/** Error codes for names without records: no such name, or no record of the queried type. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);

/** Name → addresses of a hosts file, IPv4 first. */
function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  for (const addresses of hosts.values()) addresses.sort((a, b) => isIP(a) - isIP(b));
  return hosts;
}

/** The last `search` or `domain` line of a resolv.conf, and its `ndots` option. */
function parseResolvConf(text: string): Pick<ResolverConfig, 'searchDomains' | 'ndots'> {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
  const [, ...searchDomains] = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? [];
  const options = lines.flatMap(([keyword, ...rest]) => (keyword === 'options' ? rest : []));
  const ndots = options.map((option) => /^ndots:(\d+)$/.exec(option)?.[1]).findLast((value) => value !== undefined);
  return { searchDomains, ndots: Number(ndots ?? 1) };
}

/** Rejects if `work` takes longer. */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the name servers do not respond')), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
