// The template that `render init` makes: an event card drawn from shapes and bundled fonts, so it needs no network.

export const SAMPLE_TEMPLATE = {
  name: 'Event card',
  width: 1200,
  height: 630,
  background: { color: '#14213d' },
  layers: [
    { type: 'shape', shapeType: 'circle', x: 820, y: -180, width: 620, height: 620, fillColor: '#fca311' },
    { type: 'shape', shapeType: 'pill', x: 72, y: 96, width: 96, height: 12, fillColor: '#fca311' },
  ],
  hotspots: [
    {
      key: 'title',
      label: 'Title',
      type: 'text',
      x: 72,
      y: 136,
      width: 720,
      height: 264,
      text: 'Your event',
      fontFamily: 'Poppins',
      fontWeight: 'bold',
      fontSize: 96,
      minFontSize: 32,
      lineHeight: 1.1,
      color: '#ffffff',
      autoFit: true,
    },
    {
      key: 'date',
      label: 'Date',
      type: 'text',
      x: 72,
      y: 456,
      width: 720,
      height: 96,
      text: 'Soon',
      fontFamily: 'Inter',
      fontSize: 40,
      color: '#e5e5e5',
      verticalAlign: 'bottom',
    },
    {
      key: 'link',
      label: 'Link',
      type: 'qrcode',
      x: 934,
      y: 360,
      width: 198,
      height: 198,
      borderRadius: 16,
    },
  ],
} as const;

/** Variables to try the template with. */
export const SAMPLE_VARIABLES = { title: 'Hello from Platen', date: 'Today', link: 'https://example.com' } as const;
