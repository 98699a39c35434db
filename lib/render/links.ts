// The links of scenes: what documents need to know of them before they are painted, and warnings about those that lead nowhere.
import { limitWarnings, mismatchOf } from '../contract/messages/issues.js';
import { fieldPath, locateIssue } from '../contract/messages/origins.js';
import { danglingLinks, linkedId, linksOf, visibleLayers } from '../contract/template/links.js';
import type { Warning } from '../errors.js';
import type { Scene } from '../templates/scene.js';

/** Whether the scene has links, and the ids that they name. */
export function sceneLinks({ layers }: Pick<Scene, 'layers'>) {
  const hrefs = Array.from(visibleLayers(layers), ({ layer }) => linksOf(layer).map(({ href }) => href)).flat();
  return { hasLinks: hrefs.length > 0, linkedIds: new Set(hrefs.flatMap((href) => linkedId(href) ?? [])) };
}

/** The scenes of a document with warnings about links to ids that no visible layer of any of them has. */
export function withLinkWarnings(scenes: readonly Scene[]): Scene[] {
  const visible = scenes.map(({ layers }) => [...visibleLayers(layers)]);
  const ids = new Set(visible.flatMap((layers) => layers.map(({ layer }) => layer.id)));
  return scenes.map((scene, i) => {
    const found = danglingLinks(visible[i], ids).map(({ path, field, href, layerId, message }): Warning => {
      const [first = '', index] = /^layers\[(\d+)\]\.?/.exec(path) ?? [];
      const nested = path.slice(first.length);
      const at = { field: nested === '' ? field : fieldPath(nested, field), message, ...mismatchOf(href) };
      const located = locateIssue(scene.origins[Number(index)], { code: 'dangling_link', ...at });
      return layerId === undefined ? located : { ...located, layerId };
    });
    return found.length === 0 ? scene : { ...scene, warnings: limitWarnings(scene.warnings, found) };
  });
}
