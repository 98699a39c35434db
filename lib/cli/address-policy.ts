// The setting of hosts that may be fetched from → the guard that every fetch passes.
import { type AllowAddress, allowAllAddresses, allowPublic } from '../net/address-policy.js';
import { type RenderSettings, SettingsError } from '../settings.js';

/** Everything is allowed while the setting is unset. Throws SettingsError for a host that is none. */
export function guardFrom({ ASSET_ALLOW_HOSTS: hosts }: RenderSettings): AllowAddress {
  if (!hosts) return allowAllAddresses;
  try {
    return allowPublic(hosts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SettingsError(`ASSET_ALLOW_HOSTS: ${cause.message}`, { cause });
  }
}
