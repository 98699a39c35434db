// QR codes with other modules and finder patterns and with a logo, read back by a scanner.
import t from 'tap';
import { BLUE, draw, RED, WHITE } from '../picture.js';
import { scan } from './scan.js';

const ADDRESS = 'https://example.com/tickets/4711?seat=12';
const LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9' fill='%23f00'/%3E%3C/svg%3E";
const CANVAS = { width: 260, height: 260, backgroundColor: '#ffffff' };

function code(more: object): object {
  return { type: 'qrcode', data: ADDRESS, x: 10, y: 10, width: 240, height: 240, errorCorrectionLevel: 'H', ...more };
}

t.test('every shape of modules and eyes is read back, upright, turned and scaled', async (t) => {
  for (const moduleShape of ['square', 'dot', 'rounded']) {
    for (const eyeShape of ['square', 'rounded', 'circle']) {
      for (const more of [{}, { rotation: 20, x: 40, y: 40, width: 180, height: 180 }]) {
        const found = await scan(await draw([code({ moduleShape, eyeShape, eyeColor: '#7f1d1d', ...more })], CANVAS));
        t.same(
          found.map(({ text }) => text),
          [ADDRESS],
          `${moduleShape} ${eyeShape} ${JSON.stringify(more)}`,
        );
      }
    }
  }
});

t.test('a code with a logo of any allowed size is read back', async (t) => {
  for (const errorCorrectionLevel of ['Q', 'H']) {
    for (const size of [0.1, 0.2, 0.3]) {
      const logo = { url: LOGO, size, padding: 3, borderRadius: 8, backgroundColor: '#00f' };
      const picture = await draw([code({ errorCorrectionLevel, logo })], CANVAS);
      t.same(
        (await scan(picture)).map(({ text }) => text),
        [ADDRESS],
        `${errorCorrectionLevel} ${size}`,
      );
      t.same(picture.at(130, 130), RED);
      t.same(picture.warnings, []);
    }
  }
});

t.test('the logo has its size without the margin, padding around it, and no modules beneath', async (t) => {
  // version 5 has 37 modules, 45 with the margin: 5 pixels each in 225
  const logo = { url: LOGO, size: 0.2, padding: 5, backgroundColor: '#00f' };
  const picture = await draw([code({ x: 0, y: 0, width: 225, height: 225, logo })], {
    ...CANVAS,
    width: 225,
    height: 225,
  });
  const row = (x: number) => picture.at(x, 112);
  // the picture is 37 pixels wide, from 94 to 131; with its padding it touches the modules from 85 to 140
  t.same([94, 130].map(row), [RED, RED]);
  t.same([93, 89, 131, 135].map(row), Array(4).fill(BLUE));
  t.same([85, 88, 136, 139].map(row), Array(4).fill(WHITE));
});

t.test('a picture keeps its ratio in the logo, and fails by its field', async (t) => {
  const wide = LOGO.replace("width='9' height='9'%3E", "width='18' height='9' viewBox='0 0 18 9'%3E").replace(
    "rect width='9'",
    "rect width='18'",
  );
  const picture = await draw([code({ logo: { url: wide, size: 0.3 } })], CANVAS);
  const side = 0.3 * 240 * (37 / 45);
  t.same(picture.at(130, 130), RED);
  t.same(picture.at(130, Math.round(130 - side / 2 + 4)), WHITE);
  await t.rejects(draw([code({ logo: { url: 'data:image/png;base64,AAAA' } })], CANVAS), {
    code: 'render_failed',
    details: [{ path: 'layers[0].logo.url' }],
  });
});

t.test('a logo needs level Q or H', async (t) => {
  for (const level of [{ errorCorrectionLevel: 'L' }, { errorCorrectionLevel: undefined }]) {
    await t.rejects(draw([code({ ...level, logo: { url: LOGO } })], CANVAS), {
      code: 'render_failed',
      details: [{ path: 'layers[0].errorCorrectionLevel', message: /expected "Q" or "H": a logo hides/ }],
    });
  }
});

t.test('warns about a logo that hides more than the level restores, and about light eyes', async (t) => {
  const logo = { url: LOGO, size: 0.3, padding: 30 };
  const { warnings } = await draw([code({ logo, eyeColor: '#dddddd' })], CANVAS);
  t.match(warnings, [
    { path: 'layers[0].eyeColor', message: /^the contrast of eyeColor and colorLight is 1\.\d:1/ },
    { path: 'layers[0].logo', message: /^the logo hides \d+ % of the code, expected at most 25 % with level H/ },
  ]);
});

t.test('dots and rounded modules leave corners light, and eyes are whole', async (t) => {
  const at = async (moduleShape: string) => {
    const picture = await draw([code({ x: 0, y: 0, width: 450, height: 450, moduleShape })], {
      ...CANVAS,
      width: 450,
      height: 450,
    });
    // the timing pattern between the eyes: every second module is dark, and has no neighbours
    const corners = Array.from({ length: 11 }, (_, i) => picture.at(120 + 20 * i, 100)[0]);
    const dark = picture.data.filter((value, i) => i % 4 === 0 && value < 128).length;
    t.same([picture.at(40, 40)[0], picture.at(109, 109)[0], picture.at(60, 60)[0]], [0, 0, 0], 'an eye');
    return { corners: new Set(corners), dark };
  };
  const square = await at('square');
  const dot = await at('dot');
  const rounded = await at('rounded');
  t.same([...square.corners], [0]);
  t.ok([...dot.corners].every((value) => value > 128) && [...rounded.corners].some((value) => value > 128));
  t.ok(square.dark > rounded.dark && rounded.dark > dot.dark);
});
