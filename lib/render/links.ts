// The links of scenes: what documents need to know of them before they are painted, and warnings about those that lead nowhere.
import { mismatchOf } from '../contract/messages/issues.js';
import { fieldPath, locateIssue } from '../contract/messages/origins.js';
import { danglingLinks, linkedId, linksOf, visibleLayers } from '../contract/template/links.js';
import type { Warning } from '../errors.js';
import type { Scene } from '../templates/scene.js';

type LinkedScene = Pick<Scene, 'layers' | 'origins'>;

/** Whether the scene has links, and the ids that they name. */
export function sceneLinks({ layers }: LinkedScene) {
  const hrefs = Array.from(visibleLayers(layers), ({ layer }) => linksOf(layer).map(({ href }) => href)).flat();
  return { hasLinks: hrefs.length > 0, linkedIds: new Set(hrefs.flatMap((href) => linkedId(href) ?? [])) };
}

/** Warns about links to ids that no visible layer of the document's scenes has. */
export function linkWarnings(scenes: readonly LinkedScene[]): Warning[] {
  const ids = new Set(
    scenes.flatMap(({ layers }) => Array.from(visibleLayers(layers), ({ layer }) => layer.id as string | undefined)),
  );
  return scenes.flatMap(({ layers, origins }) =>
    danglingLinks([...visibleLayers(layers)], ids).map(({ path, field, href, layerId, message }) => {
      const [first = '', index] = /^layers\[(\d+)\]\.?/.exec(path) ?? [];
      const nested = path.slice(first.length);
      const found = { field: nested === '' ? field : fieldPath(nested, field), message, ...mismatchOf(href) };
      const located = locateIssue(origins[Number(index)], { code: 'dangling_link', ...found });
      return layerId === undefined ? located : { ...located, layerId };
    }),
  );
}
