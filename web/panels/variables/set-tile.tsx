// A set of variables as a small picture of the template, with a mark if there are warnings.
import { useState } from 'preact/hooks';
import { assetsVersion } from '../../engine/assets-version.js';
import type { Warning } from '../../engine/messages.js';
import type { Variables } from '../../preview/hotspots.js';
import { Icon } from '../../ui/icon.js';
import { Thumbnail } from '../../ui/thumbnail.js';

/** Numbers that name records: as text, each would take as much memory as its picture. */
const recordNumbers = new WeakMap<object, number>();
let recordCount = 0;

function numberOf(record: object): number {
  const number = recordNumbers.get(record) ?? ++recordCount;
  recordNumbers.set(record, number);
  return number;
}

export interface SetTileProps {
  readonly name: string;
  /** A description beside the name. */
  readonly description?: string;
  readonly record: object;
  readonly variables: Variables;
  readonly size: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  /** Whether the first warning is visible; the tip shows all. */
  readonly isExplained?: boolean;
}

export function SetTile(props: SetTileProps) {
  const { name, description, record, variables, size, isChosen, onChoose, isExplained } = props;
  const pictureName = `${numberOf(record)} ${assetsVersion()} ${JSON.stringify([variables, size ?? null])}`;
  const [found, setFound] = useState<{
    readonly picture: string;
    readonly warnings: readonly Warning[];
    readonly problem?: string;
  }>();
  const current = found?.picture === pictureName ? found : undefined;
  const messages = current?.problem === undefined ? (current?.warnings ?? []).map(textOf) : [current.problem];
  const isFault = current?.problem !== undefined;
  const words = isFault ? 'can’t be drawn' : messages.length === 1 ? '1 warning' : `${messages.length} warnings`;
  return (
    <button
      type="button"
      class="set-tile"
      aria-pressed={isChosen}
      title={[description, ...messages].filter(Boolean).join('\n')}
      onClick={onChoose}
    >
      <span class="set-picture">
        <Thumbnail
          source={{ payload: record, variables, size }}
          name={pictureName}
          size="small"
          onDrawn={(warnings) => setFound({ picture: pictureName, warnings })}
          onFailed={(problem) => setFound({ picture: pictureName, warnings: [], problem })}
        />
        {messages.length > 0 && (
          <span class={`set-mark ${isFault ? 'set-mark-fault' : ''}`} aria-hidden="true">
            <Icon name="alert" size={12} />
            {isFault ? '' : messages.length}
          </span>
        )}
      </span>
      <span class="set-name">
        {name}
        {messages.length > 0 && <span class="visually-hidden">: {words}</span>}
      </span>
      {isExplained && messages[0] && <span class="set-message">{messages[0]}</span>}
    </button>
  );
}

const textOf = ({ path, message }: Warning): string => (path === '' ? message : `${path}: ${message}`);
