// Assets as the command line sees them: checks without the network, the URLs in a payload, and the address policy.
import { stat } from 'node:fs/promises';
import '../node-host.js';
import { parseAssetUrl } from '../assets/source.js';
import { assetReferences } from '../contract/layers/asset-references.js';
import { fieldPath } from '../contract/messages/origins.js';
import { isObject } from '../contract/schema/fields.js';
import { recordStrings } from '../contract/template/record-strings.js';
import type { PlacedLayer } from '../contract/validate.js';
import type { Detail, Warning } from '../errors.js';
import type { AllowAddress } from '../host.js';
import type { IconSet } from '../icons/icon-set.js';
import { allowAllAddresses, allowPublic } from '../net/address-policy.js';
import { type RenderSettings, SettingsError } from '../settings.js';
import { systemReason } from './errors.js';

export interface AssetFindings {
  readonly errors: readonly Detail[];
  readonly warnings: readonly Warning[];
}

/** What a layer is checked with: the folder from which relative paths start, and sets of icons. */
interface CheckOptions {
  readonly baseDirectory: string;
  readonly icons?: readonly IconSet[] | undefined;
}

/**
 * Checks what the schema can't: whether a valid layer's URLs and local files, font family and QR data can be used.
 * Fetches nothing.
 */
export async function checkAssets(target: PlacedLayer, { baseDirectory, icons }: CheckOptions): Promise<AssetFindings> {
  const { path, layer, standard } = target;
  // Loads the QR code package, which a payload without layers does not need.
  const { validateLayer } = await import('../templates/validate.js');
  const findings = validateLayer(target, { icons, checkUrl: (url) => void parseAssetUrl(url, { baseDirectory }) });
  if (findings.errors.length > 0) return findings;
  const errors: Detail[] = [];
  const warnings = [...findings.warnings];
  const known = new Set(standard && assetReferences(standard).map(({ url }) => url));
  for (const { field, url } of assetReferences(layer)) {
    if (known.has(url)) continue;
    const message = await fileError(url, baseDirectory);
    if (message === undefined) continue;
    const missing = { path: fieldPath(path, field), ...(layer.id !== undefined && { layerId: layer.id }), message };
    // fallbackColor replaces a missing image, but not a malformed URL.
    const hasFallback = layer.type === 'image' && field === 'url' && layer.fallbackColor !== undefined;
    if (hasFallback) warnings.push({ code: 'image_replaced', ...missing });
    else errors.push({ code: 'asset_failed', ...missing });
  }
  return { errors, warnings };
}

/** Says why the local file at `url` can't be read; undefined if it can, or if `url` is not a local file. */
async function fileError(url: string, baseDirectory: string): Promise<string | undefined> {
  const source = parseAssetUrl(url, { baseDirectory });
  if (source.kind !== 'file') return undefined;
  try {
    return (await stat(source.path)).isFile() ? undefined : `${source.path}: is not a file`;
  } catch (error) {
    return `${source.path}: ${systemReason(error)}`;
  }
}

/**
 * Collects the distinct URLs of a payload or template, which need not be valid: from its layers, hotspots, background and
 * sizes.
 */
export function collectUrls(payload: unknown): Set<string> {
  if (!isObject(payload)) return new Set();
  const urls = [...recordStrings(payload)].filter(({ kind }) => kind === 'url');
  return new Set(urls.map(({ value }) => value));
}

/**
 * Returns the policy for addresses that may be fetched from: all, unless ASSET_ALLOW_HOSTS is set. Throws SettingsError for an
 * invalid host.
 */
export function addressPolicyFrom({ ASSET_ALLOW_HOSTS: hosts }: RenderSettings): AllowAddress {
  if (!hosts) return allowAllAddresses;
  try {
    return allowPublic(hosts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SettingsError(`ASSET_ALLOW_HOSTS: ${cause.message}`, { cause });
  }
}
