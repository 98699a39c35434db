// What browsers' own style sheet says about elements, as far as it concerns a picture.

type Sheet = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

const BOLD = { fontWeight: 'bold' };
const ITALIC = { fontStyle: 'italic' };
const MONOSPACE = { fontFamily: 'monospace' };

const heading = (size: string, margin: string) => ({
  ...BOLD,
  fontSize: size,
  marginTop: margin,
  marginBottom: margin,
});

export const SHEET: Sheet = {
  b: BOLD,
  strong: { fontWeight: 'bolder' },
  i: ITALIC,
  em: ITALIC,
  cite: ITALIC,
  dfn: ITALIC,
  var: ITALIC,
  address: ITALIC,
  u: { textDecorationLine: 'underline' },
  ins: { textDecorationLine: 'underline' },
  s: { textDecorationLine: 'line-through' },
  del: { textDecorationLine: 'line-through' },
  strike: { textDecorationLine: 'line-through' },
  mark: { backgroundColor: '#ffff00', color: '#000000' },
  small: { fontSize: 'smaller' },
  big: { fontSize: 'larger' },
  sub: { fontSize: 'smaller', verticalAlign: 'sub' },
  sup: { fontSize: 'smaller', verticalAlign: 'super' },
  a: { color: '#0000ee', textDecorationLine: 'underline' },
  code: MONOSPACE,
  kbd: MONOSPACE,
  samp: MONOSPACE,
  tt: MONOSPACE,
  pre: { ...MONOSPACE, whiteSpace: 'pre', marginTop: '1em', marginBottom: '1em' },
  p: { marginTop: '1em', marginBottom: '1em' },
  blockquote: { marginTop: '1em', marginBottom: '1em', marginLeft: 40, marginRight: 40 },
  figure: { marginTop: '1em', marginBottom: '1em', marginLeft: 40, marginRight: 40 },
  dl: { marginTop: '1em', marginBottom: '1em' },
  dd: { marginLeft: 40 },
  ul: { marginTop: '1em', marginBottom: '1em', paddingLeft: 40, listStyleType: 'disc' },
  menu: { marginTop: '1em', marginBottom: '1em', paddingLeft: 40, listStyleType: 'disc' },
  ol: { marginTop: '1em', marginBottom: '1em', paddingLeft: 40, listStyleType: 'decimal' },
  center: { textAlign: 'center' },
  h1: heading('2em', '0.67em'),
  h2: heading('1.5em', '0.83em'),
  h3: heading('1.17em', '1em'),
  h4: heading('1em', '1.33em'),
  h5: heading('0.83em', '1.67em'),
  h6: heading('0.67em', '2.33em'),
  // a grey border with the style inset
  hr: {
    borderWidth: 1,
    borderStyle: 'solid',
    borderColor: '#9a9a9a #eeeeee #eeeeee #9a9a9a',
    color: '#808080',
    overflow: 'hidden',
    margin: '0.5em auto',
  },
};

/** Elements that are part of a paragraph. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(
  'span strong b em i u s del ins strike mark small big sub sup code kbd samp tt a cite dfn var abbr q time label br wbr img svg'.split(
    ' ',
  ),
);

/** Elements that show nothing. */
export const HIDDEN_TAGS: ReadonlySet<string> = new Set(
  'head meta link title script style template noscript'.split(' '),
);
