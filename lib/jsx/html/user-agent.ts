// What browsers' own sheet says beside css/sheet.ts: displays, and rules about elements in others. Without the margin of the
// body, which is the canvas.

export const USER_AGENT_SHEET = `
html, body, address, article, aside, blockquote, center, dd, details, dialog, dir, div, dl, dt, fieldset, figcaption, figure,
footer, form, h1, h2, h3, h4, h5, h6, header, hgroup, hr, legend, main, menu, nav, ol, optgroup, option, p, pre, search,
section, summary, ul { display: block }
dialog:not([open]), datalist, rp, [hidden], area { display: none }
button { display: inline-block }
slot { display: contents }
a:not([href]) { color: inherit; text-decoration-line: none }
q::before { content: open-quote }
q::after { content: close-quote }
legend { padding-left: 2px; padding-right: 2px }
nobr { white-space: nowrap }
abbr[title] { text-decoration-line: underline; text-decoration-style: dotted }
center { text-align: center }
[align=left] { text-align: left }
[align=right] { text-align: right }
[align=center] { text-align: center }
`;
