// Finds what keeps a scene from being a document that conforms to a standard, as far as its layers decide that: PDF/UA-1 needs a
// title, an alternative text for every picture, and headings in their order (ISO 14289-1, 7.1, 7.3 and 7.4).
import type { Layer } from '../contract/layers/index.js';
import { issue, summary } from '../contract/messages/issues.js';
import { locateIssue } from '../contract/messages/origins.js';
import type { DocumentFields } from '../contract/template/document.js';
import { type Detail, RenderError } from '../errors.js';
import type { Scene } from '../templates/scene.js';

type Locate = (field: string, value: unknown, expected: string) => Detail;

const FOR = 'for conformance "pdf/ua-1"';

/** Returns the function that checks the scenes of a document in their order. It throws RenderError `render_failed`. */
export function createConformanceCheck(fields: DocumentFields | undefined): (scene: Scene) => void {
  if (!fields?.conformance?.includes('pdf/ua-1')) return () => {};
  let level = 0;
  const detailsOf = (layer: Layer, path: string, locate: Locate): Detail[] => {
    const { visible, alt } = layer;
    const role = 'role' in layer ? layer.role : undefined;
    if (!visible || alt === '' || role === 'artifact') return [];
    const details: Detail[] = [];
    const isPicture = layer.type === 'image' || layer.type === 'qrcode' || layer.type === 'barcode';
    if (isPicture && alt === undefined) {
      details.push(locate(`${path}alt`, alt, `a text that says what it shows, or "" for decoration, ${FOR}`));
    }
    const [, digit] = /^h(\d)$/.exec(role ?? '') ?? [];
    if (digit !== undefined) {
      if (Number(digit) > level + 1) {
        const expected = `at most "h${level + 1}" after ${level === 0 ? 'no other heading' : `"h${level}"`} ${FOR}`;
        details.push(locate(`${path}role`, role, expected));
      }
      level = Number(digit);
    }
    if (layer.type !== 'group' || alt !== undefined) return details;
    const inside = layer.layers.flatMap((each, i) => detailsOf(each, `${path}layers[${i}].`, locate));
    return [...details, ...inside];
  };
  return ({ layers, origins }) => {
    const { title } = fields;
    const untitled = title === undefined || title === '' ? [issue('document.title', title, `a title ${FOR}`)] : [];
    const details = layers.flatMap((layer, i) =>
      detailsOf(layer, '', (field, value, expected) => {
        const { path: _path, ...found } = issue(field, value, expected);
        return locateIssue(origins[i], { ...found, field });
      }),
    );
    const all = [...untitled, ...details];
    if (all.length > 0) throw new RenderError('render_failed', summary(all), { details: all });
  };
}
