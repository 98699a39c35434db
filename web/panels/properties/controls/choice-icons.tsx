// Icons for choices.

/** Icons by field and choice. */
export const CHOICE_ICONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  textAlign: {
    left: 'M2 3h12M2 6.5h7M2 10h12M2 13.5h7',
    center: 'M2 3h12M4.5 6.5h7M2 10h12M4.5 13.5h7',
    right: 'M2 3h12M7 6.5h7M2 10h12M7 13.5h7',
    start: 'M2 2v12M5 4h9M5 8h5M5 12h9',
    end: 'M14 2v12M2 4h9M6 8h5M2 12h9',
    justify: 'M2 3h12M2 6.5h12M2 10h12M2 13.5h12',
  },
  verticalAlign: {
    top: 'M2 2.5h12M8 14V5.5m-3 3 3-3 3 3',
    middle: 'M2 8h12M8 1v4.5m-2-2 2 2 2-2M8 15v-4.5m-2 2 2-2 2 2',
    bottom: 'M2 13.5h12M8 2v8.5m-3-3 3 3 3-3',
  },
  layout: {
    none: 'm4 4 8 8m0-8-8 8',
    row: 'M2.5 3v10M6 3v10M9.5 8h5m-2-2 2 2-2 2',
    column: 'M3 2.5h10M3 6h10M8 9.5v5m-2-2 2 2 2-2',
  },
  flip: {
    x: 'M8 2v12M6 4.5v7L1.5 8zM10 4.5v7L14.5 8z',
    y: 'M2 8h12M4.5 6h7L8 1.5zM4.5 10h7L8 14.5z',
    both: 'M8 2v12M2 8h12M5.5 3 3 5.5M10.5 13l2.5-2.5',
  },
  fontStyle: {
    normal: 'M4.5 13 8 3l3.5 10M5.75 9.5h4.5',
    italic: 'M7 3h5M4 13h5M9.5 3l-3 10',
  },
};

export function ChoiceIcon({ path }: { readonly path: string }) {
  return (
    <svg class="icon" width={16} height={16} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
