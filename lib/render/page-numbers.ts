// Fills the placeholders of page numbers in the texts of a document's page: `{{page}}` and `{{pages}}`.
import type { Layer } from '../contract/layers/index.js';
import { pictureAlt } from '../layers/meaning.js';
import type { Scene } from '../templates/scene.js';

/** The number of a page, from 1, and that of all pages. */
export interface PageNumbers {
  readonly page: number;
  readonly pages: number;
}

/** The scene with the numbers in its texts, but for those in a group that flows: there they could move a break. */
export function numberPages(scene: Scene, numbers: PageNumbers): Scene {
  return { ...scene, layers: scene.layers.map((layer) => numbered(layer, numbers)) };
}

/** What the scene's picture or document shows, in words. `pages`: how many it fills. */
export function sceneAlt(scene: Scene, pages = 1): string {
  return pictureAlt(scene.format === 'pdf' ? numberPages(scene, { page: 1, pages }) : scene);
}

function numbered(layer: Layer, numbers: PageNumbers): Layer {
  if (layer.type === 'group') {
    return layer.paginate ? layer : { ...layer, layers: layer.layers.map((each) => numbered(each, numbers)) };
  }
  if (layer.type !== 'text') return layer;
  const { text, spans } = layer;
  const fill = (content: string) => content.replace(PLACEHOLDER, (_, name: keyof PageNumbers) => `${numbers[name]}`);
  return {
    ...layer,
    ...(text !== undefined && { text: fill(text) }),
    ...(spans && { spans: spans.map((span) => ({ ...span, text: fill(span.text) })) }),
  };
}

const PLACEHOLDER = /\{\{\s*(pages?)\s*\}\}/g;
