// Checks what a valid layer refers to: URLs and local files, the font family, the length of a QR code's data.
import { stat } from 'node:fs/promises';
import { parseAssetUrl } from '../assets/source.js';
import { isObject } from '../contract/fields.js';
import { joinPath } from '../contract/issues.js';
import type { PlacedLayer } from '../contract/validate.js';
import type { Detail, Warning } from '../errors.js';
import { type AllowAddress, allowAllAddresses, allowPublic } from '../net/address-policy.js';
import { type RenderSettings, SettingsError } from '../settings.js';
import { systemReason } from './errors.js';

export interface AssetFindings {
  readonly errors: readonly Detail[];
  readonly warnings: readonly Warning[];
}

/** Looks at the layer's URLs, font and data, without the network. Relative paths start from `baseDirectory`. */
export async function checkAssets(placed: PlacedLayer, baseDirectory: string): Promise<AssetFindings> {
  const { path, layer } = placed;
  // loads the QR code's package, which a payload without layers does not need
  const { validateLayer } = await import('../templates/validate.js');
  const found = validateLayer(placed, (url) => void parseAssetUrl(url, { baseDirectory }));
  const field = layer.type === 'text' ? 'customFontUrl' : 'url';
  const url = layer.type === 'text' ? layer.customFontUrl : layer.type === 'image' ? layer.url : undefined;
  if (url === undefined || found.errors.length > 0) return found;
  const message = await fileFault(url, baseDirectory);
  if (message === undefined) return found;
  const missing = { path: joinPath(path, field), ...(layer.id !== undefined && { layerId: layer.id }), message };
  // a fallback colour replaces an image that is missing, but not a malformed URL
  const hasFallback = layer.type === 'image' && layer.fallbackColor !== undefined;
  return hasFallback ? { errors: [], warnings: [missing] } : { errors: [missing], warnings: [] };
}

/** Why the local file that `url` names can't be read, if it names one. */
async function fileFault(url: string, baseDirectory: string): Promise<string | undefined> {
  const address = parseAssetUrl(url, { baseDirectory });
  if (address.kind !== 'file') return undefined;
  try {
    return (await stat(address.path)).isFile() ? undefined : `${address.path}: it is no file`;
  } catch (error) {
    return `${address.path}: ${systemReason(error)}`;
  }
}

/** The texts in `url` and `customFontUrl` of its layers, hotspots and background. */
export function collectUrls(payload: unknown): Set<string> {
  if (!isObject(payload)) return new Set();
  const lists = [payload.layers, payload.hotspots, [payload.background]].filter((list) => Array.isArray(list));
  const holders = lists.flat().filter(isObject);
  const urls = holders.flatMap(({ url, customFontUrl }) => [url, customFontUrl]);
  return new Set(urls.filter((url) => typeof url === 'string'));
}

/** Everything is allowed while the setting is unset. Throws SettingsError for a host that is none. */
export function addressPolicyFrom({ ASSET_ALLOW_HOSTS: hosts }: RenderSettings): AllowAddress {
  if (!hosts) return allowAllAddresses;
  try {
    return allowPublic(hosts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SettingsError(`ASSET_ALLOW_HOSTS: ${cause.message}`, { cause });
  }
}
