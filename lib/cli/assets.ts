// A sound layer → what only its surroundings can tell: files that are not there, fonts that nobody bundled, codes too long.
import { stat } from 'node:fs/promises';
import { parseAssetUrl } from '../assets/source.js';
import { isObject } from '../contract/fields.js';
import { joinPath } from '../contract/issues.js';
import type { PlacedLayer } from '../contract/validate.js';
import { type Detail, RenderError, type Warning } from '../errors.js';
import { familyOf } from '../fonts/bundled.js';
import { type AllowAddress, allowAllAddresses, allowPublic } from '../net/address-policy.js';
import { type RenderSettings, SettingsError } from '../settings.js';
import { systemReason } from './errors.js';

export interface AssetFindings {
  readonly errors: readonly Detail[];
  readonly warnings: readonly Warning[];
}

const NOTHING: AssetFindings = { errors: [], warnings: [] };

/** Looks at the layer's URLs, font and data, without the network. Relative paths start from `baseDirectory`. */
export async function checkAssets({ path, layer }: PlacedLayer, baseDirectory: string): Promise<AssetFindings> {
  const at = (field: string, message: string): Detail => ({
    path: joinPath(path, field),
    ...(layer.id !== undefined && { layerId: layer.id }),
    message,
  });
  switch (layer.type) {
    case 'text': {
      if (layer.customFontUrl !== undefined) {
        const fault =
          urlFault(layer.customFontUrl, baseDirectory) ?? (await fileFault(layer.customFontUrl, baseDirectory));
        return fault === undefined ? NOTHING : { errors: [at('customFontUrl', fault)], warnings: [] };
      }
      const doubt = familyOf(layer.fontFamily).warning;
      return doubt === undefined ? NOTHING : { errors: [], warnings: [at('fontFamily', doubt)] };
    }
    case 'image': {
      const fault = urlFault(layer.url, baseDirectory);
      if (fault !== undefined) return { errors: [at('url', fault)], warnings: [] };
      const missing = await fileFault(layer.url, baseDirectory);
      if (missing === undefined) return NOTHING;
      // A picture that is not there may be stood in for; a URL that is none may not.
      const found = [at('url', missing)];
      return layer.fallbackColor ? { errors: [], warnings: found } : { errors: found, warnings: [] };
    }
    case 'qrcode': {
      const { qrcodeContent, qrcodeFault } = await import('../layers/qrcode.js');
      const fault = qrcodeFault(layer);
      if (fault !== undefined) return { errors: [at('data', fault)], warnings: [] };
      return { errors: [], warnings: qrcodeContent(layer).warnings.map(({ field, message }) => at(field, message)) };
    }
    case 'shape':
      return NOTHING;
  }
}

/** Why `url` can be no asset's address, if so. */
function urlFault(url: string, baseDirectory: string): string | undefined {
  try {
    parseAssetUrl(url, { baseDirectory });
    return undefined;
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
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
