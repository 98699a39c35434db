// Lists the layers of the picture on screen: their boxes, the size and fonts of texts, the visible parts of pictures.
import { formatBytes, formatCount } from '../app/format.js';
import type { InspectedLayer } from '../engine/messages.js';
import { Badge } from '../ui/badge.js';
import { Card } from '../ui/page.js';
import type { LivePreview } from './live-preview.js';

/** Largest number of layers in the list: more would make each keystroke slow. */
const MAX_SHOWN = 100;

export function Layers({ preview }: { readonly preview: LivePreview }) {
  const layers = preview.latestPicture.value?.layers ?? [];
  if (layers.length === 0) return null;
  const more = layers.length - MAX_SHOWN;
  return (
    <Card title="Layers" isFlush actions={<Badge>{formatCount(layers.length, 'layer')}</Badge>}>
      <ul class="layers-found" aria-label="Layers">
        {layers.slice(0, MAX_SHOWN).map((layer) => (
          <li key={layer.path}>
            <span>
              <code class="problem-path">{layer.path}</code> {layer.type}
            </span>
            <span>{boxText(layer.box)}</span>
            <span class="layers-details">{detailsOf(layer).join(', ')}</span>
          </li>
        ))}
        {more > 0 && <li>{`and ${formatCount(more, 'more layer')}`}</li>}
      </ul>
    </Card>
  );
}

/** Describes a layer in the words of `platen inspect`. */
function detailsOf({
  isVisible,
  fontSize,
  lines,
  fonts = [],
  overflow,
  natural,
  format,
  bytes,
}: InspectedLayer): string[] {
  return [
    ...(isVisible ? [] : ['hidden']),
    ...(fontSize === undefined ? [] : [`${short(fontSize)} px`]),
    ...(lines ? [formatCount(lines.length, 'line')] : []),
    ...fonts,
    ...(overflow ? ['overflows'] : []),
    ...(natural && format ? [`${format} ${natural.map(short).join(' × ')}`] : []),
    ...(bytes === undefined ? [] : [formatBytes(bytes)]),
  ];
}

const short = (length: number) => String(Math.round(length * 10) / 10);

const boxText = ([x, y, width, height]: InspectedLayer['box']) =>
  `${short(width)} × ${short(height)} at ${short(x)}, ${short(y)}`;
