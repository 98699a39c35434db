// Ids, bodies and answers of the examples in the documentation.

export const TEMPLATE_ID = 'tpl_5d1f0c9b7a3e48d26c80b1f4';
export const RENDER_ID = '6f1c0e5a-2d0b-4a57-9c36-0f7d1b8e4a21';
export const ASSET_ID = 'asset_e2b7035f8c6d41a9907fd3b8';

const TIME = '2026-01-31T12:00:00.000Z';
const SHA256 = 'mRGZl1oDNJjSnXr1mcy5e8FFYzrDPkXAmcbdLtAsBUQ';

/** A canvas with one layer. */
export const CANVAS = {
  canvas: { width: 600, height: 315, backgroundColor: '#14213d' },
  layers: [{ type: 'text', text: 'Hello', x: 40, y: 40, width: 520, height: 235, fontSize: 64, color: '#ffffff' }],
};

export const TEMPLATE_REQUEST = { templateId: TEMPLATE_ID, variables: { title: 'Hello' } };

/** Two rows of one template. */
export const BATCH = {
  templateId: TEMPLATE_ID,
  rows: [
    { name: 'ada', variables: { title: 'Hello Ada' } },
    { name: 'grace', variables: { title: 'Hello Grace' } },
  ],
};

/** A template with one hotspot. */
export const RECORD = {
  name: 'Event card',
  width: 1200,
  height: 630,
  background: { color: '#0f172a' },
  hotspots: [
    {
      key: 'title',
      label: 'Title',
      type: 'text',
      x: 60,
      y: 80,
      width: 1080,
      height: 200,
      text: 'A title',
      fontSize: 72,
      color: '#ffffff',
    },
  ],
};

const drawn = {
  name: RECORD.name,
  width: RECORD.width,
  height: RECORD.height,
  hotspots: [{ key: 'title', label: 'Title', type: 'text' }],
};

export const SUMMARY = { id: TEMPLATE_ID, version: 2, publishedVersion: 2, createdAt: TIME, updatedAt: TIME, ...drawn };
export const TEMPLATE = { ...SUMMARY, record: RECORD };
export const NEW_TEMPLATE = { ...TEMPLATE, version: 1, publishedVersion: 1 };
export const VARIABLES_SCHEMA = {
  title: RECORD.name,
  type: 'object',
  properties: { title: { title: 'Title', type: ['string', 'number', 'boolean', 'null', 'object'] } },
};
export const VERSION_SUMMARY = { version: 2, createdAt: TIME, ...drawn };
export const VERSION = { ...VERSION_SUMMARY, record: RECORD };

export const BRAND_RECORD = {
  tokens: { brand: '#7c3aed', radius: 12, heading: { fontFamily: 'Fraunces', fontWeight: 700 } },
  themes: { dark: { brand: '#a78bfa' } },
  fonts: ['Inter', 'Fraunces'],
  logos: { main: `asset:${ASSET_ID}` },
};
export const BRAND = { version: 1, updatedAt: TIME, ...BRAND_RECORD };

export const PICTURE = {
  success: true,
  format: 'png',
  width: 1200,
  height: 630,
  alt: 'Hello',
  durationMs: 21,
  sizeBytes: 14210,
  base64: 'iVBORw0KGgo…',
  dataUrl: 'data:image/png;base64,iVBORw0KGgo…',
  billing: { creditsRemaining: 999, rendersRemaining: 999, creditsCost: 1, watermarked: false, isFreeTier: false },
  renderId: RENDER_ID,
  sha256: SHA256,
};

export const DOCUMENT = {
  ...PICTURE,
  format: 'svg',
  sizeBytes: 3120,
  base64: 'PHN2ZyB4bWxu…',
  dataUrl: 'data:image/svg+xml;base64,PHN2ZyB4bWxu…',
  pages: 1,
};

/** Inspection of `CANVAS`. */
export const INSPECTION = {
  success: true,
  width: 600,
  height: 315,
  alt: 'Hello',
  creditsCost: 1,
  warnings: [],
  layers: [
    {
      path: 'layers[0]',
      type: 'text',
      box: [40, 40, 520, 235],
      inkBox: [44, 53, 149, 50],
      fontSize: 64,
      lines: [{ text: 'Hello', x: 40, y: 40, width: 154.25, baseline: 101 }],
      fonts: ['Inter 400'],
      overflow: false,
    },
  ],
  timings: { check: 0.7, load: 3.2, layout: 1.1 },
};

export const BATCH_LINE = {
  index: 0,
  name: 'ada',
  success: true,
  renderId: RENDER_ID,
  format: 'png',
  alt: 'Hello',
  sizeBytes: 14210,
  base64: 'iVBORw0KGgo…',
};

export const RENDER = {
  id: RENDER_ID,
  time: TIME,
  status: 'ok',
  templateId: TEMPLATE_ID,
  templateVersion: 2,
  format: 'png',
  width: 1200,
  height: 630,
  durationMs: 21,
  cpuMs: 14,
  sizeBytes: 14210,
  creditsCost: 1,
  sha256: SHA256,
  warnings: 0,
  keyId: 'key_5d1f0c9b7a3e48d26c80b1f4',
  metadata: { order: 42 },
};

export const ASSET = {
  id: ASSET_ID,
  kind: 'image',
  mimeType: 'image/png',
  bytes: 14210,
  width: 600,
  height: 315,
  createdAt: TIME,
};

export const FONT = {
  family: 'Lobster',
  styles: [{ weight: 400, style: 'normal' }],
  scripts: ['Latn', 'Cyrl'],
  category: 'display',
  sample: 'The quick brown fox jumps over the lazy dog',
  source: 'bundled',
};

export const WORKSPACE = {
  id: 'ws_96e1b3daac5668424ee1afee',
  name: 'Acme',
  plan: 'paid',
  balance: 999,
  rendersRemaining: 999,
  creditsCost: 1,
  rateLimit: 60,
};
