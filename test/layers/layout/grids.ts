// Grids as payloads have them, whose boxes grid-boxes.json has from Chromium.

type Fields = Readonly<Record<string, unknown>>;

const box = (width: unknown, height: unknown, fields: Fields = {}) => ({
  type: 'shape',
  shapeType: 'rectangle',
  width,
  height,
  ...fields,
});
const fill = (fields: Fields = {}) => box('fill', 'fill', fields);
const times = (count: number, of: (i: number) => object) => Array.from({ length: count }, (_, i) => of(i));
/** Words of 10 px for each letter, in lines of 20 px. */
const text = (words: string, fields: Fields = {}) => ({
  type: 'text',
  text: words,
  width: 'auto',
  height: 'auto',
  ...fields,
});
const picture = (fields: Fields) => ({ type: 'image', url: 'p.png', ...fields });
const group = (fields: Fields, ...layers: object[]) => ({ type: 'group', layers, ...fields });
const grid = (fields: Fields, ...layers: object[]) =>
  group({ x: 0, y: 0, width: 300, height: 200, layout: 'grid', ...fields }, ...layers);

export const GRIDS: Readonly<Record<string, object>> = {
  'fixed, percentages and fractions': grid(
    { gridTemplateColumns: '60px 20% 1fr 2fr', gridTemplateRows: '25% 1fr', gap: [10, 20] },
    ...times(8, () => fill()),
  ),
  'min-content, max-content and auto': grid(
    { gridTemplateColumns: 'min-content max-content auto', gridTemplateRows: 'auto auto' },
    ...times(6, (i) => text(`${'a'.repeat(2 + i)} bbbb`)),
  ),
  'auto columns share what is left': grid(
    { gridTemplateColumns: 'auto auto 50px', gridTemplateRows: 'auto 30px' },
    text('aaaa'),
    text('aaaaaa bb'),
    ...times(4, () => fill()),
  ),
  'auto columns of their own width': grid(
    { gridTemplateColumns: 'auto auto', justifyContent: 'center', alignContent: 'end', gap: 6 },
    text('aaaa'),
    text('aaaaaa bb'),
    fill(),
    box(20, 30),
  ),
  'minmax()': grid(
    {
      gridTemplateColumns: 'minmax(40px, 80px) minmax(auto, 50px) minmax(100px, 1fr) minmax(min-content, max-content)',
    },
    fill(),
    text('aaaaaaaa bb'),
    fill(),
    text('aaa bbbbb cc'),
  ),
  'fit-content()': grid(
    {
      gridTemplateColumns: 'fit-content(70px) fit-content(70px) fit-content(20%) 1fr',
      gridTemplateRows: 'fit-content(50px) auto',
    },
    text('aaa'),
    text('aaaa bbbb cccc'),
    text('aaaaaaaa bb'),
    fill(),
    fill(),
  ),
  'repeat()': grid(
    { gridTemplateColumns: 'repeat(2, 20px 1fr) 40px', gap: 5 },
    ...times(7, () => fill({ height: 15 })),
  ),
  'auto-fill': grid(
    { gridTemplateColumns: '30px repeat(auto-fill, 40px) 10px', gap: 4 },
    ...times(9, () => fill({ height: 15 })),
  ),
  'auto-fit': grid(
    { gridTemplateColumns: 'repeat(auto-fit, minmax(40px, 1fr))', gap: 4 },
    ...times(3, () => fill({ height: 15 })),
  ),
  'auto-fit in the middle': grid(
    { gridTemplateColumns: '20px repeat(auto-fit, 30px) 50px', justifyContent: 'space-between', gap: 4 },
    fill({ height: 15 }),
    fill({ height: 15, gridColumn: 4 }),
    fill({ height: 15, gridColumn: -2 }),
  ),
  'lines from both ends': grid(
    { gridTemplateColumns: 'repeat(4, 1fr)', gridTemplateRows: 'repeat(3, 40px)', gap: 2 },
    fill({ gridColumn: '1 / -1', gridRow: 1 }),
    fill({ gridColumn: '2 / span 2', gridRow: '2 / -1' }),
    fill({ gridColumn: 'span 2 / -1', gridRow: '3' }),
    fill({ gridColumn: '4 / 2', gridRow: -2 }),
    fill(),
  ),
  'lines before the first': grid(
    {
      gridTemplateColumns: '50px 60px',
      gridTemplateRows: '40px',
      gridAutoColumns: '10px 20px',
      gridAutoRows: '15px 25px',
      gap: 3,
    },
    fill({ gridColumn: -5, gridRow: '-4 / span 2' }),
    fill({ gridColumn: 4 }),
    fill({ gridRow: 3 }),
    ...times(4, () => fill()),
  ),
  'auto-placement leaves gaps': grid(
    { gridTemplateColumns: 'repeat(3, 50px)', gridAutoRows: '20px' },
    fill({ gridColumn: 'span 2' }),
    fill({ gridColumn: 'span 2' }),
    fill(),
    fill({ gridColumn: 3 }),
    fill({ gridColumn: 2 }),
    fill({ gridRow: 2 }),
    fill(),
  ),
  'dense placement fills them': grid(
    { gridTemplateColumns: 'repeat(3, 50px)', gridAutoRows: '20px', gridAutoFlow: 'dense' },
    fill({ gridColumn: 'span 2' }),
    fill({ gridColumn: 'span 2', gridRow: 'span 2' }),
    fill(),
    fill({ gridColumn: 3 }),
    fill({ gridColumn: 'span 3' }),
    fill(),
  ),
  'column by column': grid(
    { gridTemplateRows: 'repeat(3, 30px)', gridAutoColumns: '25px 35px', gridAutoFlow: 'column', gap: [4, 8] },
    ...times(3, () => fill()),
    fill({ gridRow: 'span 2' }),
    fill({ gridRow: 2 }),
    fill({ gridRow: 1 }),
    fill(),
  ),
  'column by column, dense': grid(
    { gridTemplateRows: 'repeat(3, 30px)', gridAutoColumns: '25px', gridAutoFlow: 'column dense' },
    fill({ gridRow: 'span 2' }),
    fill({ gridRow: 'span 2' }),
    fill(),
    fill({ gridRow: 3 }),
  ),
  'layers across columns of content': grid(
    { gridTemplateColumns: 'auto min-content auto', justifyContent: 'start', gap: 7 },
    text('aaaa bbbb cccc dd', { gridColumn: 'span 2' }),
    text('aaaaaaaaaa', { gridColumn: '2 / span 2' }),
    text('aaa', { gridColumn: '1 / -1' }),
    text('aaaa'),
    text('bb cc'),
  ),
  'layers across fractions': grid(
    { width: 'auto', height: 'auto', gridTemplateColumns: '1fr 2fr auto', gridTemplateRows: '1fr auto 2fr', gap: 5 },
    text('aaaaaaaa bb', { gridColumn: 'span 2' }),
    text('aaa', { gridRow: '2 / span 2', gridColumn: 3 }),
    box(30, 70, { gridColumn: '1 / -1', gridRow: '1 / -1' }),
    text('aaa'),
  ),
  'aligned in their cells': grid(
    { gridTemplateColumns: '1fr 1fr 1fr', gridTemplateRows: '80px 80px', justifyItems: 'center', alignItems: 'end' },
    text('aaa'),
    text('aaa', { justifySelf: 'end', alignSelf: 'start' }),
    text('aaa bbbb', { justifySelf: 'stretch', alignSelf: 'stretch' }),
    box(150, 20, { alignSelf: 'center' }),
    box('50%', '25%'),
    box('fill', 20),
  ),
  'first baselines of a row': grid(
    { gridTemplateColumns: '60px 80px 50px', alignItems: 'baseline', gridAutoRows: 'auto', alignContent: 'start' },
    text('aaa bbbb'),
    box(20, 45),
    text('aaa', { margin: [12, 0, 3, 0] }),
    text('aaa'),
    text('aaa', { gridRow: '2 / span 2' }),
    box(20, 70, { alignSelf: 'start' }),
  ),
  'margins, minimums and maximums': grid(
    { gridTemplateColumns: 'auto 1fr', gridTemplateRows: 'auto auto', padding: [4, 6, 8, 10] },
    fill({ margin: [1, 2, 3, 4], minWidth: 50, maxHeight: 30 }),
    fill({ margin: -5, maxWidth: '50%' }),
    text('aaaa bbbb', { maxWidth: 60, margin: [0, 3] }),
    text('aaaa bbbbbbbb', { minWidth: 0, minHeight: 50 }),
  ),
  'columns of room in between': grid(
    {
      gridTemplateColumns: 'repeat(3, 40px)',
      gridTemplateRows: '30px 30px',
      justifyContent: 'space-around',
      alignContent: 'space-evenly',
      gap: 6,
    },
    fill({ gridColumn: 'span 2' }),
    fill(),
    text('aaaa bbb', { gridColumn: '2 / span 2' }),
    fill({ gridRow: '1 / -1', gridColumn: 1 }),
  ),
  'rows that percentages are of': grid(
    { height: 'auto', gridTemplateColumns: '1fr 1fr', gridTemplateRows: '50% auto minmax(20px, 25%)' },
    ...times(6, (i) => box(20, 20 + 10 * i)),
  ),
  'a height between bounds': grid(
    { height: 'auto', minHeight: 150, gridTemplateColumns: '1fr', gridTemplateRows: '1fr 2fr auto' },
    box(10, 20),
    fill(),
    box(10, 30),
  ),
  'boxes with a ratio': grid(
    {
      gridTemplateColumns: '90px auto auto',
      gridTemplateRows: '60px auto',
      justifyContent: 'start',
      alignContent: 'start',
    },
    box('fill', 'auto', { aspectRatio: 3 }),
    box('auto', 'fill', { aspectRatio: 1.5 }),
    picture({ width: 'auto', height: 'auto' }),
    picture({ width: 'fill', height: 'auto' }),
    picture({ width: 'auto', height: 30 }),
    box('auto', 45, { aspectRatio: 0.5 }),
  ),
  'a grid in a row in a grid': grid(
    { gridTemplateColumns: 'auto 1fr', gridTemplateRows: 'auto 1fr', gap: 8, padding: 5 },
    group(
      { layout: 'row', width: 'auto', height: 'auto', gap: 4, alignItems: 'stretch' },
      group(
        { layout: 'grid', width: 'auto', height: 'auto', gridTemplateColumns: 'auto auto', gap: 2 },
        text('aa'),
        text('bbbb'),
        text('ccc'),
        text('d'),
      ),
      text('aaa'),
    ),
    group(
      { layout: 'grid', width: 'fill', height: 'fill', gridTemplateColumns: '1fr 1fr', gridTemplateRows: '1fr 1fr' },
      ...times(3, () => fill()),
    ),
    group({ layout: 'column', width: 'fill', height: 'fill', justifyContent: 'end' }, text('aaaa bb'), box('fill', 10)),
  ),
  'a grid in a row': group(
    { x: 0, y: 0, width: 300, height: 100, layout: 'row', gap: 10 },
    group(
      {
        layout: 'grid',
        width: 'fill',
        height: 'fill',
        gridTemplateColumns: 'repeat(auto-fill, minmax(50px, 1fr))',
        gap: 5,
      },
      ...times(5, () => fill()),
    ),
    group(
      { layout: 'grid', width: 'auto', height: 'auto', gridTemplateColumns: 'auto auto' },
      text('aaa bb'),
      text('cc'),
    ),
    text('aaaaaaa'),
  ),
  'absolute layers': grid(
    { gridTemplateColumns: '1fr 1fr', padding: 10, width: 200, height: 100 },
    fill(),
    box('50%', 20, { position: 'absolute', x: 30, y: 40 }),
    fill(),
  ),
  'automatic margins, order and moved layers': grid(
    { gridTemplateColumns: '90px 90px 90px', gridTemplateRows: '60px 60px', justifyItems: 'stretch' },
    box(30, 20, { margin: 'auto' }),
    box('fill', 20, { margin: '0 0 auto auto', order: 1 }),
    fill({ margin: [0, 'auto', 5, 10], minWidth: 20, order: -1 }),
    box(30, 20, { inset: ['50%', 'auto', 'auto', 10] }),
    box(30, 20, { inset: ['auto', 5, '25%', 'auto'], justifySelf: 'end', alignSelf: 'end' }),
  ),
};
