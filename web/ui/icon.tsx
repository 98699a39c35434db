// Icons: 16 × 16, strokes of 1.5 in the text's colour, always beside or inside something that has a name.

const PATHS = {
  activity: 'M1.75 8h2.5l2-5 3.5 10 2-5h2.5',
  alert: 'M8 2.25 14.5 13.5h-13zM8 6.5v3M8 11.5v.01',
  billing: 'M1.75 4.25h12.5v8H1.75zM1.75 7h12.5M4.25 10h2',
  check: 'm3 8.5 3.25 3.25L13 5',
  chevron: 'm4.5 6.25 3.5 3.5 3.5-3.5',
  close: 'm4 4 8 8m0-8-8 8',
  code: 'm5.25 4.5-3.5 3.5 3.5 3.5m5.5-7 3.5 3.5-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  download: 'M8 2v8m-3.25-3L8 10.25 11.25 7M2.5 13.25h11',
  edit: 'm10.75 2.75 2.5 2.5L5.5 13l-3.25.75L3 10.5z',
  file: 'M3.5 1.75h6l3 3v9.5h-9zM9.5 1.75v3h3',
  filter: 'M2 3.5h12M4.5 8h7M6.75 12.5h2.5',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.75-4L2.5 5.5m0-3.25V5.5h3.25M8 5v3l2.25 1.5',
  image: 'M2 3h12v10H2zm0 7.5 3.25-3.25L10.5 13m-2-2.5 2-2L14 12M10 5.75v.01',
  key: 'M8.5 7.5 14 2m-2.5 2.5 1.75 1.75M6 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  link: 'M6.5 9.5a2.75 2.75 0 0 0 4 0l2.25-2.25a2.75 2.75 0 0 0-4-4l-.75.75m1.5 2.5a2.75 2.75 0 0 0-4 0L3.25 8.75a2.75 2.75 0 0 0 4 4l.75-.75',
  more: 'M3.5 8v.01M8 8v.01M12.5 8v.01',
  operators:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.75a2.5 2.5 0 0 1 0 4.5m1.5 2.5c1.5.5 2.5 1.75 2.5 3.75',
  overview: 'M2 2.25h4.75v6H2zm7.25 0H14v3.5H9.25zm0 6H14v5.5H9.25zM2 10.75h4.75v3H2z',
  play: 'M4.5 2.75 13 8l-8.5 5.25z',
  plus: 'M8 3v10M3 8h10',
  renders: 'M2 4h12M2 8h12M2 12h8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.25-1.25 3.5 3.5',
  signOut: 'M6.25 2.5h-3.5v11h3.5M10.5 4.75 13.75 8l-3.25 3.25M13.5 8H6',
  templates: 'M2 2.5h12v11H2zm0 3.75h12M6.5 6.25v7.25',
  trash: 'M2.5 4.25h11m-7.25 0v-2h3.5v2m-5.5 0 .5 9.25h6.5l.5-9.25M6.75 7v4M9.25 7v4',
  upload: 'M8 10.25v-8M4.75 5.5 8 2.25l3.25 3.25M2.5 13.25h11',
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
