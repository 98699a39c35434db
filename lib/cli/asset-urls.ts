// A payload or a template, checked or not → every URL that it names, each once.
import { isObject } from '../contract/fields.js';

/** The texts in `url` and `customFontUrl` of its layers, hotspots and background. */
export function urlsIn(payload: unknown): Set<string> {
  if (!isObject(payload)) return new Set();
  const lists = [payload.layers, payload.hotspots, [payload.background]].filter((list) => Array.isArray(list));
  const holders = lists.flat().filter(isObject);
  const urls = holders.flatMap(({ url, customFontUrl }) => [url, customFontUrl]);
  return new Set(urls.filter((url) => typeof url === 'string'));
}
