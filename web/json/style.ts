// The appearance of the JSON editor. Every style is a class of the shadow root's sheet or of CodeMirror's, which the root
// adopts too, so that the policy style-src 'self' holds. Colours come from the page's custom properties.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours have a contrast of at least 4.5 on the page's surfaces. */
export const SHEET = `
:host {
  --json-key: #0b4fb3; --json-string: #17693a; --json-number: #96400a; --json-word: #7a3db8;
  --json-line: rgb(128 128 128 / 9%); --json-selection: #cfdcff; --json-match: #fbe7a8; --json-bracket: #6c6a63;
}
@media (prefers-color-scheme: dark) {
  :host {
    --json-key: #8fb4ff; --json-string: #7fd4a0; --json-number: #f0b27a; --json-word: #cfa8ff;
    --json-line: rgb(128 128 128 / 12%); --json-selection: #2c3f7a; --json-match: #5a4708; --json-bracket: #98968e;
  }
}
.root { position: relative; height: 100%; }
.root:focus-within::after {
  content: ""; position: absolute; z-index: 300; inset: 0; pointer-events: none; box-shadow: inset 0 0 0 2px var(--accent);
}
.hint { max-width: 44ch; padding: 8px 10px; font: 13px/1.45 var(--font); }
.hint-title { overflow-wrap: anywhere; }
.hint-type { color: var(--text-3); font-family: var(--mono); font-size: 12px; }
.hint-text { margin: 4px 0 0; }
`;

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-key)' },
  { tag: tags.string, color: 'var(--json-string)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-word)' },
  { tag: [tags.punctuation, tags.bracket], color: 'var(--json-bracket)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  // the frame around the whole editor shows the focus
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '20px',
    overflow: 'auto',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 8px', minWidth: '28px' },
  '.cm-activeLine': { backgroundColor: 'var(--json-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--json-selection)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--text-3)',
  },
  '.cm-searchMatch, .cm-selectionMatch': { backgroundColor: 'var(--json-match)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '240px',
    minWidth: '240px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', lineHeight: '18px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--json-selection)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: '12px' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--text)' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip .cm-completionInfo': { padding: '0', maxWidth: '360px' },
  '.cm-diagnostic': { padding: '6px 10px', font: '13px/1.45 var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger-text)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warning-text)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger-text)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warning-text)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    borderColor: 'var(--line-strong)',
  },
  '.cm-panel.cm-search': { font: '13px/1.45 var(--font)', padding: '8px' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-textfield': { backgroundColor: 'var(--surface)', color: 'inherit', border: '1px solid var(--line-strong)' },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    color: 'inherit',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'transparent',
    color: 'var(--text-3)',
    border: '1px solid var(--line-strong)',
  },
});

export const appearance: Extension = [theme, syntaxHighlighting(highlight)];
