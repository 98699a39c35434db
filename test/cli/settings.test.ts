// Settings from the environment: defaults, bounds, and one-line errors.
import t from 'tap';
import { readRenderSettings, readSettings, SettingsError } from '../../lib/settings.js';

t.test('applies the documented defaults; an empty value counts as unset', async (t) => {
  const { RENDER_WORKERS, ...settings } = readSettings({ PORT: '', HOST: '  ', MAX_LAYERS: undefined, PATH: '/bin' });
  t.strictSame(settings, {
    HOST: '127.0.0.1',
    PORT: 8080,
    METRICS_HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY_MS: 0,
    DATA_DIR: './data',
    STORE_CONNECTIONS: 10,
    API_KEY_RATE_LIMIT_PER_MIN: 60,
    API_KEY_READ_LIMIT_PER_MIN: 300,
    LINK_RATE_LIMIT_PER_MIN: 600,
    LINK_MAX_AGE: 86_400,
    RENDER_CREDIT_COST: 1,
    WATERMARK_TEXT: 'Made with Platen',
    UPGRADE_URL: '/dashboard/billing',
    DASHBOARD: 'on',
    MAX_BODY_BYTES: 10_485_760,
    MAX_LAYERS: 500,
    MAX_EXPANDED_LAYERS: 5000,
    RENDER_TIMEOUT_MS: 30_000,
    DOCUMENT_MAX_BYTES: 268_435_456,
    RENDER_DECODE_CPU_MS: 5000,
    RENDER_LAYOUT_CPU_MS: 5000,
    RENDER_QUEUE: 256,
    RENDER_PAID_WEIGHT: 4,
    RENDER_SANDBOX: 'auto',
    RENDER_PROCESS_SHARING: 'all',
    RENDER_MEMORY_MB: 1024,
    RENDER_CACHE_MB: 64,
    LOG_VARIABLES: 'off',
    ASSET_TIMEOUT_MS: 10_000,
    ASSET_MAX_BYTES: 26_214_400,
    ASSET_MAX_PIXELS: 67_108_864,
    ASSET_ALLOW_HOSTS: [],
    ASSET_QUOTA_MB: 256,
  });
  t.ok(RENDER_WORKERS >= 1);
});

t.test('parses values', async (t) => {
  t.match(
    readSettings({
      PORT: ' 0 ',
      RENDER_WORKERS: '0',
      RENDER_CREDIT_COST: '0.5',
      STORE_URL: 'postgres://u:p@h/db',
      ASSET_ALLOW_HOSTS: ' Example.test:8080, 10.0.0.1 ,, [::1]:80,::1',
      WATERMARK_TEXT: ' Mine ',
      DASHBOARD_ORIGIN: 'HTTPS://Images.Example:443/',
    }),
    {
      PORT: 0,
      RENDER_WORKERS: 0,
      RENDER_CREDIT_COST: 0.5,
      STORE_URL: 'postgres://u:p@h/db',
      ASSET_ALLOW_HOSTS: ['example.test:8080', '10.0.0.1', '[::1]:80', '::1'],
      WATERMARK_TEXT: 'Mine',
      DASHBOARD_ORIGIN: 'https://images.example',
    },
  );
});

// fault: 31
t.test('rejects values that can’t be parsed', async (t) => {
  const rows: [string, string[], string][] = [
    ['PORT', ['abc', '-1', '65536', '80.5', '0x50', '1e3'], 'a whole number from 0 to 65535'],
    ['METRICS_PORT', ['none', '65536'], 'a whole number from 0 to 65535'],
    ['LOG_LEVEL', ['loud', 'INFO'], 'debug, info, warn, error or silent'],
    ['API_KEY_RATE_LIMIT_PER_MIN', ['0', '-1', 'abc', '99999999999999999'], 'a whole number of at least 1'],
    ['API_KEY_READ_LIMIT_PER_MIN', ['0', '1.5'], 'a whole number of at least 1'],
    ['LINK_RATE_LIMIT_PER_MIN', ['0', '1.5'], 'a whole number of at least 1'],
    ['LINK_MAX_AGE', ['-1', '31536001'], 'a whole number from 0 to 31536000'],
    ['ASSET_QUOTA_MB', ['-1', '1048577'], 'a whole number from 0 to 1048576'],
    ['LOG_VARIABLES', ['yes', 'ON'], 'on or off'],
    ['DASHBOARD', ['yes', 'true'], 'on or off'],
    [
      'DASHBOARD_ORIGIN',
      ['images.example', 'ftp://a', 'https://a/b', 'https://a/?b', 'https://u@a', 'null'],
      'an origin such as https://images.example.com',
    ],
    ['RENDER_CREDIT_COST', ['0', '-1', 'free'], 'a number above 0'],
    ['RENDER_TIMEOUT_MS', ['0', '2147483648'], 'a whole number from 1 to 2147483647'],
    ['ASSET_ALLOW_HOSTS', ['http://a', 'a b', 'a/b', 'user@a'], 'hosts or host:port, separated by commas'],
  ];
  for (const [name, values, expected] of rows) {
    for (const value of values) {
      t.throws(
        () => readSettings({ [name]: value }),
        new SettingsError(`${name}: received "${value}", expected ${expected}`),
      );
    }
  }
});

t.test('reports all invalid settings in one line, without passwords', async (t) => {
  t.throws(() => readSettings({ PORT: 'x', MAX_LAYERS: 'y', STORE_URL: 'mysql://root:secret@h/db' }), {
    message: /^(?!.*secret)(?!.*\n)(?=.*PORT: )(?=.*MAX_LAYERS: )(?=.*STORE_URL: expected a URL such as postgres:)/,
  });
});

t.test('a single render ignores invalid settings of the service', async (t) => {
  t.equal(readRenderSettings({ PORT: 'x', MAX_LAYERS: '7' }).MAX_LAYERS, 7);
  t.throws(() => readRenderSettings({ ASSET_TIMEOUT_MS: 'soon' }), { message: /^ASSET_TIMEOUT_MS: / });
});
