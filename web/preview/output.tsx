// Shows format and quality, and saves the picture as a file.
import { useState } from 'preact/hooks';
import { toast } from '../app/announce.js';
import type { Engine } from '../engine/engine.js';
import { Button } from '../ui/button.js';
import { SelectField, TextField } from '../ui/field.js';
import { fileName, saveFile } from './download.js';
import { FORMATS } from './formats.js';
import type { Format, LivePreview } from './live-preview.js';

const MIN_QUALITY = 1;
const MAX_QUALITY = 100;

export interface OutputProps {
  readonly preview: LivePreview;
  readonly engine: Engine;
  /** Names the file. */
  readonly name: string;
  /** Overrides the payload's format and quality. */
  readonly chosen?: { readonly format: Format; readonly quality: number };
  /** Called when a format is chosen; absent if none can be. */
  readonly onFormat?: (format: Format) => void;
  readonly onQuality?: (quality: number) => void;
}

export function Output({ preview, engine, name, chosen, onFormat, onQuality }: OutputProps) {
  const [isBusy, setBusy] = useState(false);
  const picture = preview.latestPicture.value;
  const { format = 'png', quality = 90 } = chosen ?? picture ?? {};
  const download = async () => {
    if (!picture) return;
    setBusy(true);
    try {
      const { bytes, mimeType } = await engine.encode(picture.source, { format, quality, use: 'file' });
      saveFile(bytes, fileName(name, format), mimeType);
    } catch (error) {
      toast(`Not saved: ${(error as Error).message}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="output">
      {onFormat && (
        <SelectField
          label="Format"
          value={format}
          options={FORMATS.map((each) => ({ value: each.id, label: each.name }))}
          onChange={(value) => onFormat(value as Format)}
        />
      )}
      {onQuality && <Quality value={quality} isDisabled={format === 'png'} onChange={onQuality} />}
      <Button icon="download" isBusy={isBusy} disabled={!picture} onClick={download}>
        Download
      </Button>
    </div>
  );
}

interface QualityProps {
  readonly value: number;
  readonly isDisabled: boolean;
  readonly onChange: (quality: number) => void;
}

/** Accepts the input once it is a number in the range. */
function Quality({ value, isDisabled, onChange }: QualityProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label="Quality"
      type="number"
      min={MIN_QUALITY}
      max={MAX_QUALITY}
      disabled={isDisabled}
      value={typed ?? String(value)}
      onInput={(text) => {
        setTyped(text);
        const quality = Number(text);
        if (text.trim() !== '' && quality >= MIN_QUALITY && quality <= MAX_QUALITY) onChange(quality);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
