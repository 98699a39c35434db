// A host's name → its addresses: by the hosts file, then by the name servers, through sockets of our own. The system's
// resolver would wait on the few threads that the store's writes need too: a name server that is slow would stop them.
import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Resolve } from './http-client.js';

export interface ResolverOptions {
  /** Name servers, each an address with or without a port; the system's unless given. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** Says in which domains short names are looked for. */
  readonly resolvFile?: string;
  /** Milliseconds for one name, whatever the name servers do. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2000;
/** A question that got no answer is asked once more, after this long. */
const ATTEMPT_MS = 800;
/** The system's files, and its list of name servers, are read anew when they are older. */
const FRESH_MS = 10_000;
const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';

/** What the system says about names. */
interface ResolverConfig {
  readonly resolver: dns.Resolver;
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Domains that short names are looked for in, and with how many dots a name is no longer short. */
  readonly search: readonly string[];
  readonly dots: number;
}

/**
 * A resolver for any number of names at once. It gives IPv4 addresses before IPv6 ones, and rejects when a name has none
 * or the time is up.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const { timeoutMs = TIMEOUT_MS, hostsFile = HOSTS_FILE, resolvFile = '/etc/resolv.conf', servers } = options;
  let ground: Promise<ResolverConfig> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<ResolverConfig> {
    const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');
    const [hosts, resolv] = await Promise.all([textOf(hostsFile), textOf(resolvFile)]);
    const resolver = new dns.Resolver({ timeout: ATTEMPT_MS, tries: 2 });
    if (servers) resolver.setServers(servers);
    return { resolver, hosts: readHosts(hosts), ...readSearch(resolv) };
  }

  return async (hostname) => {
    const now = performance.now();
    if (!ground || now - readAt > FRESH_MS) {
      ground = read();
      readAt = now;
    }
    return within(timeoutMs, find(hostname.toLowerCase(), await ground));
  };
}

async function find(hostname: string, { resolver, hosts, search, dots }: ResolverConfig): Promise<readonly string[]> {
  const name = hostname.replace(/\.$/, '');
  const known = hosts.get(name);
  if (known) return known;
  // RFC 6761: no name server is asked for these
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
  const longer = hostname.endsWith('.') ? [] : search.map((domain) => `${name}.${domain}`);
  const isShort = name.split('.').length - 1 < dots;
  let addresses: readonly string[] = [];
  for (const candidate of isShort ? [...longer, name] : [name, ...longer]) {
    addresses = await ask(resolver, candidate);
    if (addresses.length > 0) break;
  }
  return addresses;
}

/** Every address of a name; none when there is no such name. Rejects when neither question is answered. */
async function ask(resolver: dns.Resolver, name: string): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  const failure = failures.find((error) => !NO_RECORDS.has((error as NodeJS.ErrnoException).code ?? ''));
  if (addresses.length === 0 && failure) throw failure;
  return addresses;
}

/** What a name server says of a name that it knows to have no such address. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);

/** The lines of a hosts file, by name, IPv4 addresses first. */
function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  for (const addresses of hosts.values()) addresses.sort((a, b) => isIP(a) - isIP(b));
  return hosts;
}

/** The last `search` or `domain` line of a resolv.conf, and its `ndots`. */
function readSearch(text: string): Pick<ResolverConfig, 'search' | 'dots'> {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
  const [, ...search] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  const options = lines.flatMap(([word, ...rest]) => (word === 'options' ? rest : []));
  const dots = options.map((option) => /^ndots:(\d+)$/.exec(option)?.[1]).findLast((value) => value !== undefined);
  return { search, dots: Number(dots ?? 1) };
}

/** Rejects when `work` takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the name servers do not answer')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
