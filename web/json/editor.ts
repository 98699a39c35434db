// The JSON editor: CodeMirror in a shadow root, which isolates its styles and takes them as constructed sheets, as the policy
// style-src 'self' requires. This module is large, so it is imported when an editor is opened.
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, StateEffect, Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { fieldChange } from './field-change.js';
import { diagnosticsOf, type Finding, lineOf } from './findings.js';
import { jsonLanguage } from './language.js';
import { appearance, SHEET } from './style.js';

export type { Finding } from './findings.js';

export interface JsonEditorOptions {
  /** Accessible name of the textbox. */
  readonly label: string;
  readonly text: string;
  /** The kind of the text: any payload, or a template's record. */
  readonly kind: 'payload' | 'template';
  readonly isReadOnly?: boolean;
  readonly onChange: (text: string) => void;
}

export interface JsonEditor {
  readonly text: string;
  /**
   * Replaces the text, as a step that can be undone. The common beginning and end of both texts stay, with a cursor in them.
   */
  replace(text: string): void;
  /** Sets a field of the outermost object and leaves the rest of the text alone; undefined removes the field. */
  setField(name: string, value: unknown): void;
  /** Marks the findings in the text. Returns the line of each; undefined for a finding about something else. */
  mark(findings: readonly Finding[]): (number | undefined)[];
  /** Selects the place of a finding. */
  reveal(finding: Finding): void;
  focus(): void;
  destroy(): void;
}

/**
 * Replaces a selection by typed text. Chromium would insert elements whose style attribute keeps the look of the selected text,
 * which the policy style-src 'self' forbids and reports.
 */
function replaceSelected({ inputType, data, isComposing }: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (inputType !== 'insertText' || isComposing || data === null || state.readOnly) return false;
  if (state.selection.ranges.every(({ empty }) => empty)) return false;
  view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/**
 * Loads the search panel when it is first used, because few people use it. The browser's search can't find lines out of sight.
 */
function openSearch(view: EditorView): boolean {
  void import('@codemirror/search').then(({ highlightSelectionMatches, openSearchPanel, search, searchKeymap }) => {
    if (!searching.has(view)) {
      searching.add(view);
      const extensions = [search({ top: true }), highlightSelectionMatches(), keymap.of(searchKeymap)];
      view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
    }
    openSearchPanel(view);
  });
  return true;
}
const searching = new WeakSet<EditorView>();

/** Returns the change from `before` to `after`: one replacement between their common beginning and end. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Creates an editor in a shadow root of `host`, which must not have one yet. */
export function createJsonEditor(host: HTMLElement, options: JsonEditorOptions): JsonEditor {
  const { label, text, kind, isReadOnly = false, onChange } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  root.adoptedStyleSheets = [sheet];
  const parent = document.createElement('div');
  parent.className = 'root';
  root.replaceChildren(parent);

  const assisted = new Compartment();
  let isAssisted = false;
  const assist = async () => {
    if (isAssisted || isReadOnly) return;
    isAssisted = true;
    const { assistance } = await import('./assistance.js');
    view.dispatch({ effects: assisted.reconfigure(assistance(kind)) });
  };

  const view = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        lintGutter(),
        codeFolding(),
        foldGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        jsonLanguage,
        assisted.of([]),
        appearance,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          // accessibility checkers don't see otherwise that it takes the focus
          tabindex: '0',
          ...(isReadOnly && { 'aria-readonly': 'true' }),
        }),
        EditorState.readOnly.of(isReadOnly),
        // Tab is missing here on purpose: it leaves the editor, as it leaves every field
        keymap.of([
          ...lintKeymap,
          { key: 'Mod-f', run: openSearch },
          ...historyKeymap,
          ...foldKeymap,
          ...standardKeymap,
        ]),
        EditorView.domEventHandlers({
          focus: () => void assist(),
          pointerenter: () => void assist(),
          beforeinput: replaceSelected,
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });

  return {
    get text() {
      return view.state.doc.toString();
    },
    replace(next) {
      const change = differenceOf(view.state.doc.toString(), next);
      if (change) view.dispatch({ changes: change, annotations: Transaction.userEvent.of('input.replace') });
    },
    setField(name, value) {
      const change = fieldChange(view.state, name, value);
      if (change) view.dispatch({ changes: change, annotations: Transaction.userEvent.of('input.field') });
    },
    mark(findings) {
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, findings)));
      return findings.map((finding) => lineOf(view.state, finding));
    },
    reveal(finding) {
      const [place] = diagnosticsOf(view.state, [finding]);
      if (place) {
        view.dispatch({
          selection: { anchor: place.from, head: place.to },
          effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
        });
      }
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
