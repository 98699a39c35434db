// Compares deploy/ and docs/operations.md with the program: every setting, command, path, port and metric that they name
// exists, and their grace periods are long enough.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { SERVE_USAGE } from '../lib/cli/commands/serve.js';
import { openapi } from '../lib/contract/openapi.js';
import { createMetrics } from '../lib/service/metrics/prometheus.js';
import { readSettings } from '../lib/settings.js';
import { rowsUnder } from './tables.js';

/** The pages of the guide, which the build writes. */
const { FILES } = await import('../scripts/docs-pages.mjs' as string);
const PAGES: readonly string[] = [...FILES.keys()];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/operations.md');
const watching = read('docs/observability.md');

/** Names that `platen serve` reads: those of its help, and those that have options too. */
const SETTINGS = new Set([
  ...['HOST', 'PORT', 'DATA_DIR'],
  ...Array.from(SERVE_USAGE.matchAll(/^ {2}([A-Z_]+) /gm), ([, name]) => name),
]);
/** Variables that the database's client reads. */
const CLIENT = new Set(['PGPASSWORD']);

type Environment = Record<string, string>;

const MIN_MARGIN_MS = 5000;

/** Checks the settings of one server, and how long its supervisor waits for it to stop, in milliseconds. */
function checkNode(t: Test, where: string, environment: Environment, graceMs: number): void {
  for (const name of Object.keys(environment)) {
    t.ok(SETTINGS.has(name) || CLIENT.has(name), `${where}: ${name} is a setting`);
  }
  const settings = readSettings(environment);
  const longest = settings.SHUTDOWN_DELAY_MS + settings.RENDER_TIMEOUT_MS + MIN_MARGIN_MS;
  t.ok(graceMs >= longest, `${where}: has ${graceMs} ms to stop, and may take ${longest}`);
}

/** Checks that a server uses the pool that the words after `platen` start. */
function checkPool(t: Test, where: string, words: readonly string[], environment: Environment): void {
  t.same(words, ['pool', '--listen', environment.RENDER_POOL], where);
  t.match(environment, { RENDER_SANDBOX: 'require' }, `${where} does not start without its pool`);
}

const milliseconds = (text: string) => Number(/^(\d+)s?$/.exec(text)?.[1]) * 1000;

t.test('platen serve --help lists the settings that are read', async (t) => {
  const known = Object.keys(
    readSettings({
      STORE_URL: 'postgres://h/d',
      METRICS_PORT: '0',
      FONTS_DIR: '.',
      ICONS_DIR: '.',
      RENDER_POOL: '/run/platen/pool.sock',
      DASHBOARD_ORIGIN: 'http://h',
    }),
  );
  t.same([...SETTINGS].sort(), known.sort());
});

t.test('docs/operations.md lists every setting with its default', async (t) => {
  const { RENDER_WORKERS: _cores, ASSET_ALLOW_HOSTS: _none, ...defaults } = readSettings({});
  const rows = new Map(rowsUnder(page, 'Settings').map(([name, value]) => [name.replaceAll('`', ''), value]));
  t.same([...rows.keys()].sort(), [...SETTINGS].sort());
  for (const [name, value] of Object.entries(defaults)) t.equal(rows.get(name), `\`${value}\``, name);
  for (const name of ['STORE_URL', 'METRICS_PORT', 'ASSET_ALLOW_HOSTS', 'FONTS_DIR', 'ICONS_DIR', 'RENDER_POOL'])
    t.equal(rows.get(name), 'none', name);
});

t.test('compose.yaml has valid settings, and isolates its servers and its database', async (t) => {
  const { services, volumes, networks } = parse(read('deploy/compose.yaml'), { merge: true });
  const nodes = Object.entries<Record<string, never>>(services).filter(([name]) => name.startsWith('node'));
  t.equal(nodes.length, 2);
  for (const [name, { volumes }] of nodes as unknown as [string, { volumes: string[] }][]) {
    const pool = services[name.replace('node', 'pool')];
    const hardened = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    t.match(pool, { ...hardened, network_mode: 'none', image: services[name].image }, 'the pool has no network');
    t.notOk('environment' in pool || 'env_file' in pool, 'and no secrets');
    t.same(pool.volumes, volumes, 'both have the socket alone');
    t.match(pool.user, /^(?!1000)\d+:1000$/, "another user in the server's group");
    checkPool(t, name, pool.command, services[name].environment);
  }
  for (const [name, node] of nodes) {
    const { environment, stop_grace_period: grace, image, build } = node as Record<string, never>;
    checkNode(t, name, environment, milliseconds(grace));
    t.ok(existsSync(join(ROOT, 'deploy', (build as { context: string }).context, 'deploy/Dockerfile')));
    t.equal(image, `platen:${JSON.parse(read('package.json')).version}`);
    t.match(node, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    t.notOk('ports' in node, 'only the load balancer is reachable from outside');
  }
  t.same(services.balancer.environment.NODES, nodes.map(([name]) => `${name}:8080`).join(' '));
  t.notOk(/:\d+$/.test(String(services.database.ports ?? '')), 'the database is not reachable from outside');
  for (const service of Object.values<{ networks?: string[] }>(services)) {
    for (const network of service.networks ?? []) t.ok(network in networks, network);
  }
  for (const volume of services.database.volumes) t.ok(volume.split(':')[0] in volumes, volume);
  t.notMatch(read('deploy/compose.yaml'), /PASSWORD: [^$\s]/, 'contains no password');
  const caddy = read('deploy/Caddyfile');
  t.match(caddy, /health_uri \/readyz\n/);
  t.ok(2 * milliseconds(/health_interval (\S+)/.exec(caddy)?.[1] ?? '') < 5000, 'two health checks fit into the delay');
  t.ok(milliseconds(/keepalive (\S+)/.exec(caddy)?.[1] ?? '') < 5000, 'closes idle connections before the servers do');
});

t.test('kubernetes.yaml has valid settings, probes, selectors and network rules', async (t) => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => {
    t.same(document.errors, []);
    return document.toJS();
  });
  t.same(
    documents.map(({ kind }) => kind),
    ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy'],
  );
  const [deployment, service, budget, policy] = documents;
  const { spec } = deployment.spec.template;
  const [container] = spec.containers;
  const environment = Object.fromEntries(
    container.env.map(({ name, value }: Environment) => [name, value ?? 'postgres://h/d']),
  );
  checkNode(t, 'kubernetes', environment, spec.terminationGracePeriodSeconds * 1000);
  const [, pool] = spec.containers;
  checkPool(t, 'kubernetes', pool.args, environment);
  t.match(pool, { image: container.image, securityContext: { ...container.securityContext, runAsUser: 1001 } });
  t.notOk('env' in pool || 'envFrom' in pool, 'the pool has no secrets');
  t.same(pool.volumeMounts, [{ name: 'socket', mountPath: '/run/platen' }]);
  t.ok(spec.volumes.some(({ name, emptyDir }: { name: string; emptyDir?: object }) => name === 'socket' && emptyDir));
  t.equal(container.image, `platen:${JSON.parse(read('package.json')).version}`);
  t.match(spec.securityContext, { runAsNonRoot: true, runAsUser: 1000 });
  t.match(container.securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  const ports = new Map<string, number>(
    container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort]),
  );
  t.equal(ports.get('http'), Number(environment.PORT));
  t.equal(ports.get('metrics'), Number(environment.METRICS_PORT));
  const { paths } = openapi() as { paths: object };
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    t.ok(container[probe].httpGet.path in paths, container[probe].httpGet.path);
    t.ok(ports.has(container[probe].httpGet.port));
  }
  t.equal(container.readinessProbe.httpGet.path, '/readyz');
  t.equal(container.livenessProbe.httpGet.path, '/healthz');
  const labels = deployment.spec.template.metadata.labels;
  for (const selector of [deployment.spec.selector, budget.spec.selector, policy.spec.podSelector]) {
    t.same(selector.matchLabels, labels);
  }
  t.same(service.spec.selector, labels);
  t.ok(ports.has(service.spec.ports[0].targetPort));
  const strangers = policy.spec.ingress.find((rule: object) => !('from' in rule));
  t.same(strangers.ports, [{ port: 'http' }], 'metrics are not open to all');
});

t.test('every image of deploy/ that others make has an exact tag and a digest', async (t) => {
  const images = readdirSync(join(ROOT, 'deploy')).flatMap((name) =>
    Array.from(
      read(`deploy/${name}`).matchAll(/^(?:FROM|[- ]*(?:image|"image"):)\s+["']?([^\s"',]+)/gm),
      ([, image]) => ({
        name,
        image,
      }),
    ),
  );
  const others = images.filter(({ image }) => !/^platen:/.test(image));
  t.same([...new Set(others.map(({ image }) => image.split(':')[0]))].sort(), ['caddy', 'node', 'postgres']);
  for (const { name, image } of others)
    t.match(image, /^[a-z]+:\d+\.\d+(?:\.\d+)?(?:-slim)?@sha256:[0-9a-f]{64}$/, name);
});

t.test('Dockerfile and platen.service start the command of the package', async (t) => {
  const { bin, files, version } = JSON.parse(read('package.json'));
  const docker = read('deploy/Dockerfile');
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(docker)?.[1] ?? '');
  t.same(entry, ['node', `/app/${bin.platen}`]);
  t.same(JSON.parse(/^CMD (.*)$/m.exec(docker)?.[1] ?? ''), ['serve']);
  t.match(docker, `platen:${version}`);
  t.match(docker, /^USER 1000:1000$/m);
  const pairs = /^ENV (.*)$/m.exec(docker)?.[1].split(' ') ?? [];
  const environment = Object.fromEntries(pairs.map((pair) => pair.split('=')));
  checkNode(t, 'Dockerfile', environment, Number.POSITIVE_INFINITY);
  const health = JSON.parse(/^HEALTHCHECK .*? CMD (.*)$/m.exec(docker)?.[1] ?? '');
  t.match(health, ['node', '-e', /\$\{process\.env\.PORT\}\/healthz/]);
  const bases = new Set(Array.from(docker.matchAll(/^FROM (\S+)/gm), ([, image]) => image));
  t.equal(bases.size, 1, 'both stages have the same Node release');
  t.match([...bases][0], /^node:20\.\d+\.\d+-slim@/);
  const allowed = Array.from(read('.dockerignore').matchAll(/^!(.*)$/gm), ([, path]) => path);
  for (const path of allowed) t.ok(existsSync(join(ROOT, path)), path);
  // The build makes dist/ and schema.json.
  const sources = files.filter((path: string) => !/^(dist|schema\.json$)/.test(path));
  const needed = [...sources, 'bin', 'lib', 'scripts', 'web', 'LICENSE', ...PAGES];
  const isAllowed = (path: string) => allowed.some((each) => path === each || path.startsWith(`${each}/`));
  for (const path of needed) t.ok(isAllowed(path), `${path} is in the build context`);

  const unit = read('deploy/platen.service');
  t.match(unit, `ExecStart=/usr/bin/node /opt/platen/${bin.platen} serve\n`);
  const given = Array.from(unit.matchAll(/^Environment=(\w+)=(.*)$/gm), ([, name, value]) => [name, value]);
  checkNode(
    t,
    'platen.service',
    Object.fromEntries(given),
    milliseconds(/^TimeoutStopSec=(.*)$/m.exec(unit)?.[1] ?? ''),
  );
  const both = ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'MemoryDenyWriteExecute=no'];
  for (const line of both) t.ok(unit.includes(`\n${line}\n`), line);

  const pool = read('deploy/platen-pool.service');
  const [, program, words] = /^ExecStart=\/usr\/bin\/node (\S+) (.*)$/m.exec(pool) ?? [];
  t.equal(program, `/opt/platen/${bin.platen}`);
  checkPool(t, 'platen.service', words.split(' '), Object.fromEntries(given));
  const alone = [
    'PrivateNetwork=yes',
    'RestrictAddressFamilies=AF_UNIX',
    'RestrictNamespaces=yes',
    'Group=platen-pool',
  ];
  for (const line of [...both, ...alone, 'SystemCallFilter=@system-service', 'CapabilityBoundingSet=']) {
    t.ok(pool.includes(`\n${line}\n`), line);
  }
  t.notMatch(
    pool,
    /^(StateDirectory|EnvironmentFile|User)=/m,
    'the pool has no data, no secrets and a user of its own',
  );
  t.match(unit, /^SupplementaryGroups=platen-pool$/m);
});

/** Every metric of a server, with its kind and its help text. */
async function readMetrics(): Promise<Map<string, { kind: string; help: string }>> {
  const caches = { bytes: 0, hits: 0, misses: 0 };
  const idle = { idle: 0, restarts: 0, pids: [], processes: [] };
  const metrics = createMetrics({
    pool: { stats: () => idle },
    admission: { running: 0, queued: 0, reserved: 0, memory: 0, batches: { queued: 0, running: 0 } },
    engine: { stats: () => ({ inFlight: 0, assetCache: caches, renderCache: caches }) },
    memoryBudget: { usedBytes: 0 },
    memoryLimit: 1,
    slots: 1,
    busy: () => ({ jobs: 0, seconds: 0 }),
  });
  const found = new Map<string, { kind: string; help: string }>();
  const text = await metrics.text();
  for (const [, name, help, kind] of text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)) {
    found.set(name, { kind, help });
  }
  return found;
}

t.test('docs/observability.md lists every metric with its kind and its help', async (t) => {
  const ours = [...(await readMetrics())].filter(([name]) => name.startsWith('platen_'));
  const rows = rowsUnder(watching, 'Metrics')
    .filter(([name]) => name.startsWith('`platen_'))
    .map(([name, kind, , help]) => [name.replaceAll('`', ''), { kind, help }] as const);
  t.ok(ours.length > 15);
  t.same(new Map(rows), new Map(ours));
});

t.test('the Grafana dashboard shows every metric, and none that does not exist', async (t) => {
  const known = await readMetrics();
  const labels = new Map(
    rowsUnder(watching, 'Metrics')
      .filter(([name]) => name.startsWith('`platen_'))
      .map(([name, , cell]) => [name.replaceAll('`', ''), cell]),
  );
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json'));
  t.ok(panels.length >= 15);
  t.equal(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length);
  const used = new Set<string>();
  for (const { title, targets } of panels) {
    for (const { expr } of targets as { expr: string }[]) {
      const names = [...expr.matchAll(/\b(?:platen|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
      t.ok(names.length > 0, title);
      for (const name of names) {
        const base = known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
        t.ok(known.has(base), `${title}: ${name}`);
        t.equal(base !== name, known.get(base)?.kind === 'histogram', `${title}: ${name} is used as what it is`);
        used.add(base);
      }
      const [first] = names.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
      for (const [, list] of expr.matchAll(/by \(([^)]*)\)/g)) {
        for (const label of list.split(', ')) {
          const own = labels.get(first)?.includes(`\`${label}\``);
          t.ok(own || ['le', 'instance'].includes(label), `${title}: ${label} is a label of ${first}`);
        }
      }
    }
  }
  const unused = [...known.keys()].filter((name) => name.startsWith('platen_') && !used.has(name));
  t.same(unused, [], 'every metric of the server is shown');
});

t.test('the alerts are rules of Prometheus about metrics and labels that exist, and the docs list them', async (t) => {
  const known = await readMetrics();
  const { groups } = parse(read('deploy/prometheus-alerts.yaml'), { strict: true });
  t.same(Object.keys(groups[0]).sort(), ['name', 'rules']);
  const labels = new Map(rowsUnder(watching, 'Metrics').map(([name, , cell]) => [name.replaceAll('`', ''), cell]));
  for (const rule of groups[0].rules) {
    const { alert, expr } = rule;
    t.same(Object.keys(rule).sort(), ['alert', 'annotations', 'expr', 'for', 'labels'], alert);
    t.match(rule, {
      for: /^\d+m$/,
      labels: { severity: /^(critical|warning)$/ },
      annotations: { summary: /\$labels\.instance/ },
    });
    let depth = 0;
    for (const [bracket] of expr.replace(/"[^"]*"/g, '').matchAll(/[()[\]{}]/g)) {
      depth += '([{'.includes(bracket) ? 1 : -1;
      t.ok(depth >= 0, `${alert}: brackets are balanced`);
    }
    t.equal(depth, 0, `${alert}: brackets are balanced`);
    const selectors = [...expr.matchAll(/\b(platen_[a-z_]+)(?:\{([^}]*)\})?/g)];
    t.ok(selectors.length > 0 || expr.startsWith('up{'), alert);
    for (const [, name, matchers = ''] of selectors) {
      t.ok(known.has(name), `${alert}: ${name}`);
      for (const [, label] of matchers.matchAll(/(\w+)=/g)) t.ok(labels.get(name)?.includes(`\`${label}\``), label);
      const isRate = new RegExp(`rate\\(${name}(\\{[^}]*\\})?\\[`).test(expr);
      t.equal(isRate, known.get(name)?.kind === 'counter', `${alert}: the rate of counters, and of nothing else`);
    }
  }
  const listed = rowsUnder(watching, 'Alerts').map(([name, after]) => [name.replaceAll('`', ''), after]);
  t.same(
    listed,
    groups[0].rules.map((rule: { alert: string; for: string }) => [rule.alert, rule.for]),
  );
});

t.test('docs/operations.md links every file of deploy/', async (t) => {
  const linked = Array.from(page.matchAll(/\]\(\.\.\/deploy\/([^)]+)\)/g), ([, name]) => name);
  t.same(
    [...new Set(linked)].sort(),
    readdirSync(join(ROOT, 'deploy'))
      .filter((name) => name !== '.env')
      .sort(),
  );
});
