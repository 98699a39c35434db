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
  const ids = new Set(scenes.flatMap(visibleIds));
  return scenes.map((scene) => withDanglingLinks(scene, ids));
}

/** The ids of the scene's visible layers, which links may lead to. */
export function visibleIds({ layers }: Pick<Scene, 'layers'>): string[] {
  return Array.from(visibleLayers(layers), ({ layer: { id } }) => (typeof id === 'string' ? [id] : [])).flat();
}

/** The scene with warnings about links to none of `ids`. */
export function withDanglingLinks(scene: Scene, ids: ReadonlySet<string>): Scene {
  const found = danglingLinks([...visibleLayers(scene.layers)], ids).map((link): Warning => {
    const { path, field, href, layerId, message } = link;
    const [first = '', index] = /^layers\[(\d+)\]\.?/.exec(path) ?? [];
    const nested = path.slice(first.length);
    const at = { field: nested === '' ? field : fieldPath(nested, field), message, ...mismatchOf(href) };
    const located = locateIssue(scene.origins[Number(index)], { code: 'dangling_link', ...at });
    return layerId === undefined ? located : { ...located, layerId };
  });
  return found.length === 0 ? scene : { ...scene, warnings: limitWarnings(scene.warnings, found) };
}
