// Reads settings from the environment and applies defaults (docs/operations.md#settings). An empty value counts as unset.
// Invalid values stop the start with one line that names every invalid setting.
import * as z from 'zod';
import { MAX_EXPANDED_LAYERS } from './contract/layers/limits.js';
import { issue } from './contract/messages/issues.js';
import { usableCores } from './resources.js';

/** The environment as Node gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown when a setting is invalid; the message is one line, ready to print. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

interface Bounds {
  readonly min: number;
  readonly max?: number;
}

/** A whole number in decimal digits. */
function whole(fallback: number, bounds: Bounds) {
  return wholeNumber(bounds).default(fallback);
}

function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) {
  const limit = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `a whole number ${limit}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

/** A number above 0; fractions are allowed. */
function positive(fallback: number) {
  const error = 'a number above 0';
  return z
    .string()
    .regex(/^\d{1,15}(\.\d{1,6})?$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value > 0, { error })
    .default(fallback);
}

/** Hosts or host:port, separated by commas; an IPv6 address with a port is in brackets. */
const hosts = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  )
  .refine(
    (list) =>
      list.every((host) => /^(\[[\da-f:.]+\](:\d+)?|[^\s/@:[\]]+(:\d+)?|[\da-f.]*:[\da-f:.]*:[\da-f:.]*)$/.test(host)),
    {
      error: 'hosts or host:port, separated by commas',
    },
  );

/** Scheme, host and port of a URL, in normal form. */
const origin = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  context.addIssue({ code: 'custom', message: 'an origin such as https://images.example.com' });
  return z.NEVER;
});

function sandboxMode() {
  return z.enum(['auto', 'require', 'off'], { error: 'auto, require or off' }).default('auto');
}

/** Limits of one render; the CLI reads only these. */
const renderShape = {
  MAX_LAYERS: whole(500, { min: 0 }),
  MAX_EXPANDED_LAYERS: whole(MAX_EXPANDED_LAYERS, { min: 0 }),
  RENDER_TIMEOUT_MS: whole(30_000, { min: 1, max: 2 ** 31 - 1 }),
  ASSET_TIMEOUT_MS: whole(10_000, { min: 1, max: 2 ** 31 - 1 }),
  ASSET_MAX_BYTES: whole(25 * 2 ** 20, { min: 1 }),
  ASSET_MAX_PIXELS: whole(2 ** 26, { min: 1 }),
  /** Unset, the CLI fetches from every address, the service from public addresses only. */
  ASSET_ALLOW_HOSTS: hosts.optional(),
  /** A folder of sets of icons in Iconify's JSON. */
  ICONS_DIR: z.string().optional(),
};

/** Settings of the service. A function, so that the CLI does not build schemas that it does not use. */
const serviceShape = () => ({
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(8080, { min: 0, max: 65_535 }),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Unset, metrics are off. */
  METRICS_PORT: wholeNumber({ min: 0, max: 65_535 }).optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'debug, info, warn, error or silent' })
    .default('info'),
  SHUTDOWN_DELAY_MS: whole(0, { min: 0, max: 600_000 }),
  DATA_DIR: z.string().default('./data'),
  /** A folder of font files whose families are used like bundled ones. */
  FONTS_DIR: z.string().optional(),
  STORE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, { error: 'a URL such as postgres://user:password@host/database' })
    .optional(),
  STORE_CONNECTIONS: whole(10, { min: 1, max: 1000 }),
  API_KEY_RATE_LIMIT_PER_MIN: whole(60, { min: 1 }),
  API_KEY_READ_LIMIT_PER_MIN: whole(300, { min: 1 }),
  /** Images that the links of one key may have drawn. */
  LINK_RATE_LIMIT_PER_MIN: whole(600, { min: 1 }),
  /** Seconds for which browsers and proxies keep a linked image. */
  LINK_MAX_AGE: whole(86_400, { min: 0, max: 31_536_000 }),
  RENDER_CREDIT_COST: positive(1),
  WATERMARK_TEXT: z.string().default('Made with Platen'),
  UPGRADE_URL: z.string().default('/dashboard/billing'),
  DASHBOARD: z.enum(['on', 'off'], { error: 'on or off' }).default('on'),
  /** Unset, the dashboard is at the API's own address. */
  DASHBOARD_ORIGIN: origin.optional(),
  ASSET_ALLOW_HOSTS: hosts.default([]),
  /** Assets that a workspace may store together. */
  ASSET_QUOTA_MB: whole(256, { min: 0, max: 2 ** 20 }),
  MAX_BODY_BYTES: whole(10 * 2 ** 20, { min: 1 }),
  /** Bytes of one document; those of several pages are finished in a temporary file. */
  DOCUMENT_MAX_BYTES: whole(256 * 2 ** 20, { min: 1 }),
  /** Processor time for decoding one picture or font. */
  RENDER_DECODE_CPU_MS: whole(5000, { min: 1, max: 2 ** 31 - 1 }),
  /** Processor time for the layout of all texts of a render. */
  RENDER_LAYOUT_CPU_MS: whole(5000, { min: 1, max: 2 ** 31 - 1 }),
  RENDER_WORKERS: whole(usableCores(), { min: 0, max: 1024 }),
  /** The walls around render processes. */
  RENDER_SANDBOX: sandboxMode(),
  /** The socket of a separate pool, in which the render processes run; unset, the server starts them itself. */
  RENDER_POOL: z.string().optional(),
  /** Whether a render process that has read a workspace's files draws for others too. */
  RENDER_PROCESS_SHARING: z.enum(['workspace', 'all'], { error: 'workspace or all' }).default('all'),
  RENDER_QUEUE: whole(256, { min: 0 }),
  /** Processor time that a paid workspace gets beside a free one, where both want more than there is. */
  RENDER_PAID_WEIGHT: whole(4, { min: 1, max: 1000 }),
  RENDER_MEMORY_MB: whole(1024, { min: 1 }),
  RENDER_CACHE_MB: whole(64, { min: 0, max: 2 ** 20 }),
  /** Whether the render log keeps the variables of renders. */
  LOG_VARIABLES: z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
});

const renderSchema = z.object(renderShape);
const settingsSchema = () => z.object({ ...renderShape, ...serviceShape() });

/** Limits of one render, with the names, units and defaults of docs/operations.md#settings. */
export type RenderSettings = Readonly<z.output<typeof renderSchema>>;
/** All settings. */
export type Settings = Readonly<z.output<ReturnType<typeof settingsSchema>>>;

/** Reads the limits of one render. Throws SettingsError. */
export function readRenderSettings(environment: Environment): RenderSettings {
  return read(renderSchema, environment);
}

/** Reads the settings of a separate pool. Throws SettingsError. */
export function readPoolSettings(environment: Environment): Pick<Settings, 'RENDER_SANDBOX'> {
  return read(z.object({ RENDER_SANDBOX: sandboxMode() }), environment);
}

/**
 * Reads all settings. Throws SettingsError. `names`: what its message calls a setting that did not come from the environment
 * (`--port`).
 */
export function readSettings(environment: Environment, names: Environment = {}): Settings {
  return read(settingsSchema(), environment, names);
}

function read<Output>(schema: z.ZodType<Output>, environment: Environment, names: Environment = {}): Output {
  const values = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const trimmed = value?.trim() ?? '';
      return trimmed === '' ? [] : [[name, trimmed]];
    }),
  );
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    // the URL may contain a password, so the message does not repeat it
    if (name === 'STORE_URL') return `${name}: expected ${message}`;
    return `${names[name] ?? name}: ${issue(name, values[name], message).message}`;
  });
  throw new SettingsError(problems.join('; '));
}

/**
 * The URL, without a path, at which people reach a server with these settings: DASHBOARD_ORIGIN, else the API's address on
 * this machine. `port`: the one that was assigned, if PORT is 0.
 */
export function publicOrigin(
  { HOST, PORT, DASHBOARD_ORIGIN }: Pick<Settings, 'HOST' | 'PORT' | 'DASHBOARD_ORIGIN'>,
  port = PORT,
): string {
  if (DASHBOARD_ORIGIN !== undefined) return DASHBOARD_ORIGIN;
  const reachable = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
