// Icons: 16 × 16, strokes of 1.5 in the text's colour, always beside or inside an element that has a name.

const PATHS = {
  activity: 'M1.75 8h2.5l2-5 3.5 10 2-5h2.5',
  alert: 'M8 2.25 14.5 13.5h-13zM8 6.5v3M8 11.5v.01',
  arc: 'M8 2.5A5.5 5.5 0 1 1 2.5 8',
  arrow: 'm3 13 10-10M6.5 3H13v6.5',
  barcode: 'M2 3.5v9M4.75 3.5v9M7 3.5v9M10.5 3.5v9M14 3.5v9',
  alignBottom: 'M2 13.75h12M4.25 3.5h2.5v8h-2.5zm5 3.5h2.5v4.5h-2.5z',
  alignCentre: 'M8 1.75v2m0 3v2.5m0 3v2M3.5 3.75h9v3h-9zm2 5.5h5v3h-5z',
  alignLeft: 'M2.25 2v12M4.5 3.75h8v3h-8zm0 5.5H9v3H4.5z',
  alignMiddle: 'M1.75 8h2m3 0h2.5m3 0h2M3.75 3.5h3v9h-3zm5.5 2h3v5h-3z',
  alignRight: 'M13.75 2v12M3.5 3.75h8v3h-8zM7 9.25h4.5v3H7z',
  alignTop: 'M2 2.25h12M4.25 4.5h2.5v8h-2.5zm5 0h2.5V9h-2.5z',
  bold: 'M4.5 2.75h4.25a2.6 2.6 0 0 1 0 5.25H4.5zm0 5.25h5a2.6 2.6 0 0 1 0 5.25h-5z',
  billing: 'M1.75 4.25h12.5v8H1.75zM1.75 7h12.5M4.25 10h2',
  check: 'm3 8.5 3.25 3.25L13 5',
  chevron: 'm4.5 6.25 3.5 3.5 3.5-3.5',
  circle: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z',
  close: 'm4 4 8 8m0-8-8 8',
  code: 'm5.25 4.5-3.5 3.5 3.5 3.5m5.5-7 3.5 3.5-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  distributeHorizontally: 'M2.25 2v12M13.75 2v12M6 4.5h4v7H6z',
  distributeVertically: 'M2 2.25h12M2 13.75h12M4.5 6h7v4h-7z',
  download: 'M8 2v8m-3.25-3L8 10.25 11.25 7M2.5 13.25h11',
  edit: 'm10.75 2.75 2.5 2.5L5.5 13l-3.25.75L3 10.5z',
  eye: 'M1.5 8S4 3.75 8 3.75 14.5 8 14.5 8 12 12.25 8 12.25 1.5 8 1.5 8zM8 9.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z',
  eyeOff: 'M2 6.5C3.25 8.75 5.5 10.25 8 10.25s4.75-1.5 6-3.75M4 9l-1.5 1.75M8 10.25v2.25M12 9l1.5 1.75',
  file: 'M3.5 1.75h6l3 3v9.5h-9zM9.5 1.75v3h3',
  filter: 'M2 3.5h12M4.5 8h7M6.75 12.5h2.5',
  group: 'M3.5 2v12M12.5 2v12M2 3.5h12M2 12.5h12',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.75-4L2.5 5.5m0-3.25V5.5h3.25M8 5v3l2.25 1.5',
  image: 'M2 3h12v10H2zm0 7.5 3.25-3.25L10.5 13m-2-2.5 2-2L14 12M10 5.75v.01',
  italic: 'M6.75 2.75h5m-7.5 10.5h5m1-10.5-3.5 10.5',
  key: 'M8.5 7.5 14 2m-2.5 2.5 1.75 1.75M6 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  keyboard: 'M1.75 4h12.5v8.25H1.75zM4.25 6.5v.01M6.75 6.5v.01M9.25 6.5v.01M11.75 6.5v.01M5 9.75h6',
  line: 'm3 13 10-10',
  link: 'M6.5 9.5a2.75 2.75 0 0 0 4 0l2.25-2.25a2.75 2.75 0 0 0-4-4l-.75.75m1.5 2.5a2.75 2.75 0 0 0-4 0L3.25 8.75a2.75 2.75 0 0 0 4 4l.75-.75',
  lock: 'M3.5 7.25h9v6.5h-9zM5.5 7.25v-2a2.5 2.5 0 0 1 5 0v2',
  minus: 'M3 8h10',
  more: 'M3.5 8v.01M8 8v.01M12.5 8v.01',
  operators:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.75a2.5 2.5 0 0 1 0 4.5m1.5 2.5c1.5.5 2.5 1.75 2.5 3.75',
  overview: 'M2 2.25h4.75v6H2zm7.25 0H14v3.5H9.25zm0 6H14v5.5H9.25zM2 10.75h4.75v3H2z',
  pill: 'M5.5 5h5a3 3 0 0 1 0 6h-5a3 3 0 0 1 0-6z',
  pipette: 'm9.25 5.25 1.5-1.5a1.77 1.77 0 0 1 2.5 2.5l-1.5 1.5m-3.5-3.5 4.5 4.5m-1-1L5.5 14H2.5v-3l6.25-6.25',
  play: 'M4.5 2.75 13 8l-8.5 5.25z',
  plus: 'M8 3v10M3 8h10',
  polygon: 'M8 2.75 14 13H2z',
  qrcode: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.5v1.5M13.5 9.5v1.5M9.5 13.5H11M13.5 13.5v-1',
  rectangle: 'M2.5 3.5h11v9h-11z',
  redo: 'M10.5 3 14 6.5 10.5 10M14 6.5H6a3.5 3.5 0 0 0 0 7h4',
  renders: 'M2 4h12M2 8h12M2 12h8',
  roundedRectangle: 'M5 3h6a2.5 2.5 0 0 1 2.5 2.5v5A2.5 2.5 0 0 1 11 13H5a2.5 2.5 0 0 1-2.5-2.5v-5A2.5 2.5 0 0 1 5 3z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.25-1.25 3.5 3.5',
  shapes: 'M2 2.5h7v7H2zM10.5 6.75a3.75 3.75 0 1 1-4 4',
  sides: 'M2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11',
  signOut: 'M6.25 2.5h-3.5v11h3.5M10.5 4.75 13.75 8l-3.25 3.25M13.5 8H6',
  star: 'm8 1.75 1.9 4 4.35.55-3.2 3 .85 4.35L8 11.5l-3.9 2.15.85-4.35-3.2-3 4.35-.55z',
  strike:
    'M2.5 8h11M11.5 4.75c-.5-1.25-1.75-2-3.5-2-2 0-3.5 1-3.5 2.5 0 .75.25 1.25.75 1.75m-1 4c.5 1.5 2 2.25 3.75 2.25 2.25 0 3.75-1 3.75-2.75 0-.5 0-.75-.25-1.25',
  table: 'M2 3h12v10H2zM2 6.25h12M2 9.6h12M7.5 3v10',
  templates: 'M2 2.5h12v11H2zm0 3.75h12M6.5 6.25v7.25',
  text: 'M3 4.25V2.75h10v1.5M8 2.75v10.5M6 13.25h4',
  trash: 'M2.5 4.25h11m-7.25 0v-2h3.5v2m-5.5 0 .5 9.25h6.5l.5-9.25M6.75 7v4M9.25 7v4',
  underline: 'M4.5 2.5v4.75a3.5 3.5 0 0 0 7 0V2.5M3.5 13.5h9',
  undo: 'M5.5 3 2 6.5 5.5 10M2 6.5h8a3.5 3.5 0 0 1 0 7H6',
  unlock: 'M3.5 7.25h9v6.5h-9zM5.5 7.25v-2a2.5 2.5 0 0 1 4.75-1',
  upload: 'M8 10.25v-8M4.75 5.5 8 2.25l3.25 3.25M2.5 13.25h11',
  variable: 'M5.5 2.5C3.5 2.5 4.75 7 2.5 8c2.25 1 1 5.5 3 5.5m5-11c2 0 .75 4.5 3 5.5-2.25 1-1 5.5-3 5.5',
  verify: 'M8 1.75 13.25 4v3.75c0 3-2.25 5.25-5.25 6.5-3-1.25-5.25-3.5-5.25-6.5V4zM5.75 7.75 7.5 9.5l3-3.25',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The product's mark. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg class="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M10 25V8h7.5a5.5 5.5 0 0 1 0 11H10" />
    </svg>
  );
}
