// What elements of icons become: path data, paint, transforms and groups.
import t from 'tap';
import { type IconPath, partsOf } from '../../lib/icons/parts.js';

const one = (body: string): IconPath => {
  const parts = partsOf(body);
  t.equal(parts.length, 1, body);
  return parts[0] as IconPath;
};

t.test('basic shapes are paths', async (t) => {
  t.equal(one('<path d=" m1 2 3 4 "/>').d, 'm1 2 3 4');
  t.equal(one('<rect x="1" y="2" width="3" height="4"/>').d, 'M1 2H4V6H1Z');
  t.equal(
    one('<rect width="10" height="6" rx="2"/>').d,
    'M2 0H8A2 2 0 0 1 10 2V4A2 2 0 0 1 8 6H2A2 2 0 0 1 0 4V2A2 2 0 0 1 2 0Z',
  );
  t.match(one('<rect width="10" height="6" ry="9" rx="1"/>').d, /^M1 0H9A1 3 0 0 1 10 3V3/, 'radii fit');
  t.equal(one('<circle cx="5" cy="6" r="2px"/>').d, 'M7 6A2 2 0 0 1 3 6A2 2 0 0 1 7 6Z');
  t.equal(one('<ellipse rx="2" ry="1"/>').d, 'M2 0A2 1 0 0 1 -2 0A2 1 0 0 1 2 0Z');
  t.equal(one('<line x1="1" x2="3" y2="4" stroke="red"/>').d, 'M1 0L3 4');
  t.equal(one('<polyline points="0,0 1-1,2 3"/>').d, 'M0 0L1 -1L2 3');
  t.equal(one('<polygon points="0 0 1 1 2 3"/>').d, 'M0 0L1 1L2 3Z');
  t.same(partsOf('<rect width="0" height="4"/><circle r="0"/><path d=""/><polygon points="1 1"/><g/>'), []);
});

t.test('paint is inherited, and none draws nothing', async (t) => {
  t.match(one('<path d="M0 0h1"/>'), { fill: '#000000', line: undefined });
  t.same(partsOf('<path d="M0 0h1" fill="none"/>'), []);
  t.match(one('<g fill="currentcolor" fill-rule="evenodd"><path d="M0 0h1"/></g>'), {
    fill: 'currentColor',
    isEvenOdd: true,
  });
  t.match(one('<g fill="red"><path d="M0 0h1" fill="inherit"/></g>'), { fill: 'red' });
  const line = '<g fill="none" stroke="#abc" stroke-width="3" stroke-linecap="round" stroke-linejoin="bevel">';
  t.same(one(`${line}<path d="M0 0h1" stroke-dasharray="1 2" stroke-dashoffset="3"/></g>`), {
    d: 'M0 0h1',
    line: { color: '#abc', width: 3, cap: 'round', join: 'bevel', dash: [1, 2], dashOffset: 3 },
    opacity: 1,
  });
  t.match(one('<path d="M0 0h1" fill="red" stroke="blue"/>'), { fill: 'red', line: { color: 'blue', width: 1 } });
});

t.test('lines of the same paint are one path, each from its own start', async (t) => {
  const line = (inside: string) => `<g fill="none" stroke="currentColor">${inside}</g>`;
  t.equal(
    one(line('<path d="M1 1h2"/><path d="m5 5 1 1"/><circle r="1"/>')).d,
    ['M1 1h2M5 5l1 1', 'M1 0A1 1 0 0 1 -1 0A1 1 0 0 1 1 0Z'].join(''),
  );
  t.equal(one(line('<path d="M1 1h2"/><path d="m-.5.5h3"/>')).d, 'M1 1h2M-.5 .5h3');
  t.equal(partsOf(line('<path d="M1 1h2"/><path d="M3 3h2" stroke-width="2"/>')).length, 2);
  t.equal(partsOf('<path d="M0 0h1v1z"/><path d="M0 0h1v1z"/>').length, 2, 'fills could cancel each other out');
});

t.test('opacity is that of a path, or of a group of several', async (t) => {
  t.equal(one('<g opacity=".5"><path d="M0 0h1" opacity=".5"/></g>').opacity, 0.25);
  t.equal(one('<path d="M0 0h1" fill-opacity=".3"/>').opacity, 0.3);
  t.match(partsOf('<path d="M0 0h1" stroke="red" stroke-opacity=".3"/>'), [
    { fill: '#000000', line: undefined, opacity: 1 },
    { fill: undefined, line: { color: 'red' }, opacity: 0.3 },
  ]);
  t.match(partsOf('<g opacity=".5"><path d="M0 0h1"/><path d="M1 0h1"/></g>'), [
    { opacity: 0.5, parts: [{ d: 'M0 0h1' }, { d: 'M1 0h1' }] },
  ]);
});

t.test('transforms move paths and scale lines', async (t) => {
  const line = '<path d="M0 0h1v1z" fill="none" stroke="red" stroke-width="2"/>';
  t.match(one(`<g transform="translate(1 2) scale(2)">${line}</g>`), {
    d: 'M1 2L3 2L3 4Z',
    line: { width: 4 },
  });
  t.equal(one(`<g transform="rotate(90)">${line}</g>`).d, 'M0 0L0 1L-1 1Z');
  t.equal(one(`<g transform="rotate(180 1 1)">${line}</g>`).d, 'M2 2L1 2L1 1Z');
  t.equal(one(`<g transform="scale(-1 1)">${line}</g>`).d, 'M0 0L-1 0L-1 1Z', 'a mirrored line keeps its width');
  t.equal(one('<path transform="matrix(1 0 0 2 5 6)" d="M0 0Q1 1 2 2"/>').d, 'M5 6Q6 8 7 10');
  t.equal(one('<path transform="skewX(45)" d="M0 0L0 1"/>').d, 'M0 0L1 1');
  t.equal(one('<g transform="translate(1)"><path transform="translate(0, 1)" d="M0 0h1"/></g>').d, 'M1 1L2 1');
});
