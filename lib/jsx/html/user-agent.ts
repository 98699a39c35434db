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
li { display: list-item }
:is(ul, ol, menu, dl) :is(ul, ol, menu, dl) { margin-top: 0; margin-bottom: 0 }
:is(ul, ol, menu) ul { list-style-type: circle }
:is(ul, ol, menu) :is(ul, ol, menu) ul { list-style-type: square }
ol[type="1"] { list-style-type: decimal }
ol[type=a] { list-style-type: lower-alpha }
ol[type=A] { list-style-type: upper-alpha }
ol[type=i] { list-style-type: lower-roman }
ol[type=I] { list-style-type: upper-roman }
ul[type=disc i] { list-style-type: disc }
ul[type=circle i] { list-style-type: circle }
ul[type=square i] { list-style-type: square }
table { display: table; border-spacing: 2px; box-sizing: border-box; text-indent: initial }
caption { display: table-caption; text-align: center }
colgroup { display: table-column-group }
col { display: table-column }
thead { display: table-header-group; vertical-align: middle }
tbody { display: table-row-group; vertical-align: middle }
tfoot { display: table-footer-group; vertical-align: middle }
tr { display: table-row; vertical-align: inherit }
td, th { display: table-cell; vertical-align: inherit; padding: 1px }
th { font-weight: bold; text-align: center }
table[border]:not([border="0"]) { border: 1px solid gray }
table[border]:not([border="0"]) :is(td, th) { border: 1px solid gray }
[valign=top] { vertical-align: top }
[valign=middle] { vertical-align: middle }
[valign=bottom] { vertical-align: bottom }
nobr { white-space: nowrap }
abbr[title] { text-decoration-line: underline; text-decoration-style: dotted }
center { text-align: center }
[align=left] { text-align: left }
[align=right] { text-align: right }
[align=center] { text-align: center }
`;
