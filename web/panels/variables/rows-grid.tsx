// Shows the rows of a CSV or JSON file as small pictures, page by page: a click fills the picture with a row.
import { useMemo, useRef, useState } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { sizeNames } from '../../document/sizes.js';
import { hotspotFields } from '../../preview/hotspots.js';
import { Button, IconButton } from '../../ui/button.js';
import { Alert } from '../../ui/feedback.js';
import { declaredFields } from './declared.js';
import { createRowReader, type ParsedRows, type Row } from './rows.js';
import { SetTile } from './set-tile.js';
import { fillWith, openRows, variablesState } from './state.js';
import { useSettled } from './use-settled.js';

const PAGE_SIZE = 48;
const ACCEPTED = '.csv,.tsv,.json,.jsonl,.ndjson,text/csv,application/json';

export function RowsSection({ editor }: { readonly editor: OpenEditor }) {
  const { file } = variablesState(editor);
  const input = useRef<HTMLInputElement>(null);
  const currentFile = file.value;
  const open = (chosen: File | null | undefined) => {
    if (chosen) void openRows(editor, chosen);
  };
  return (
    <section class="variables-section" aria-label="Rows of a file">
      <div class="variables-heading">
        <h2>{currentFile ? currentFile.name : 'Rows of a file'}</h2>
        {currentFile && (
          <IconButton
            icon="close"
            label="Close file"
            size="small"
            onClick={() => {
              file.value = undefined;
            }}
          />
        )}
      </div>
      {!currentFile && <p class="faint">A CSV or JSON file dropped here shows a picture for each row.</p>}
      {currentFile && 'error' in currentFile && (
        <Alert>
          {currentFile.name} {currentFile.error}
        </Alert>
      )}
      {currentFile && 'isLoading' in currentFile && (
        <p class="faint" aria-busy="true">
          Reading the rows…
        </p>
      )}
      {currentFile && 'parsed' in currentFile && (
        <RowsGrid key={currentFile.name} editor={editor} parsed={currentFile.parsed} />
      )}
      <div class="variables-actions">
        <Button size="small" icon="file" onClick={() => input.current?.click()}>
          {currentFile ? 'Choose another file' : 'Choose file'}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label="File with rows"
        onChange={({ currentTarget }) => {
          open(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </section>
  );
}

function RowsGrid({ editor, parsed }: { readonly editor: OpenEditor; readonly parsed: ParsedRows }) {
  const { store } = editor;
  const { rows, columns } = parsed;
  const { chosen } = variablesState(editor);
  const { record, size } = store.document.value;
  const settled = useSettled(record);
  const reader = useMemo(() => {
    const hotspots = hotspotFields(settled);
    const declared = declaredFields(settled, hotspots).map(({ name, label }) => {
      return { key: name, label, type: 'placeholder' as const, colors: [] };
    });
    return createRowReader([...hotspots, ...declared], sizeNames(settled), columns);
  }, [settled, columns]);
  const [page, setPage] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const turnTo = (next: number) => {
    setPage(next);
    list.current?.scrollIntoView({ block: 'start' });
  };
  const pages = Math.ceil(rows.length / PAGE_SIZE);
  const first = page * PAGE_SIZE;
  const visibleRows = rows.slice(first, first + PAGE_SIZE);
  const broken = rows.filter(({ error }) => error !== undefined);
  return (
    <>
      {reader.remarks.map((remark) => (
        <Alert key={remark} kind="warning">
          {remark}
        </Alert>
      ))}
      {broken.length > 0 && (
        <Alert kind="warning">
          {broken.length === 1
            ? `Row ${broken[0]!.number} can’t be read: it ${broken[0]!.error}`
            : `${broken.length} rows can’t be read: row ${broken[0]!.number} ${broken[0]!.error}`}
        </Alert>
      )}
      <ul ref={list} class="set-tiles" aria-label="Rows">
        {visibleRows.map((row) => (
          <li key={row.number}>
            {row.values ? (
              <RowTile
                row={row}
                reader={reader}
                record={settled}
                size={size}
                isChosen={chosen.value?.kind === 'row' && chosen.value.name === nameOf(row)}
                onChoose={(set) => fillWith(editor, { kind: 'row', name: nameOf(row), ...set })}
              />
            ) : (
              <div class="set-tile set-tile-broken">
                <span class="set-name">{nameOf(row)}</span>
                <span class="set-message">{row.error}</span>
              </div>
            )}
          </li>
        ))}
      </ul>
      <nav class="rows-pages" aria-label="Pages of rows">
        <span class="faint">
          Rows {first + 1}–{first + visibleRows.length} of {rows.length.toLocaleString('en')}
        </span>
        {pages > 1 && (
          <>
            <Button
              size="small"
              kind="quiet"
              disabled={page === 0}
              aria-label="Previous rows"
              onClick={() => turnTo(page - 1)}
            >
              Previous
            </Button>
            <Button
              size="small"
              kind="quiet"
              disabled={page >= pages - 1}
              aria-label="Next rows"
              onClick={() => turnTo(page + 1)}
            >
              Next
            </Button>
          </>
        )}
      </nav>
    </>
  );
}

const nameOf = ({ number }: Row): string => `Row ${number}`;

interface RowTileProps {
  readonly row: Row & { readonly values: object };
  readonly reader: ReturnType<typeof createRowReader>;
  readonly record: object;
  /** The size that the picture shows. */
  readonly size: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (filling: ReturnType<ReturnType<typeof createRowReader>['read']>) => void;
}

function RowTile({ row, reader, record, size, isChosen, onChoose }: RowTileProps) {
  const filling = useMemo(() => reader.read(row.values), [reader, row]);
  return (
    <SetTile
      name={nameOf(row)}
      record={record}
      variables={filling.variables}
      size={filling.size ?? size}
      isChosen={isChosen}
      onChoose={() => onChoose(filling)}
      isExplained
    />
  );
}
