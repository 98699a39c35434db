// Designs from an empty canvas, as a designer makes them: three with the mouse, one by keyboard alone.
import type { Designer } from './designer.js';

export interface Design {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly make: (designer: Designer) => Promise<void>;
  /** Parts of the record afterwards. */
  readonly expected: object;
}

/** A panel with a gradient at the left, and two texts that variables fill, one below the other. */
async function makeSocialCard(designer: Designer): Promise<void> {
  const { visitor } = designer;
  await designer.add('shape', /^Rectangle, Shape, x 474, y 189/);
  // a few pixels from the corner: it snaps
  await designer.drag([600, 315], [600 - 474 + 4, 315 - 189 - 3]);
  await designer.sees('Rectangle, Shape, x 0, y 0, 252 × 252');
  await designer.drag([252, 252], [420, 627]);
  await designer.sees('Rectangle, Shape, x 0, y 0, 420 × 630');
  await visitor.click('button', 'Choose fill colour');
  await visitor.click('radio', 'Linear');
  await visitor.fill('Colour', '#f97316');
  await visitor.click('slider', 'Stop 2');
  await visitor.fill('Colour', '#7c3aed');
  await visitor.fill('Angle', '160');
  await visitor.page.keyboard.press('Escape');
  await visitor.gone('dialog', 'Fill colour');

  await designer.addText('Harbour nights');
  await designer.font('Poppins');
  await designer.set('Font size', 84);
  await designer.set('Width', 640);
  await designer.set('Key', 'title');
  await designer.drag([300, 300], [540, 200]);
  await designer.addText('Friday, 14 June');
  await designer.set('Font size', 36);
  await designer.set('Width', 400);
  await designer.set('Key', 'date');
  await designer.set('Label', 'Date of the event');
  await designer.drag([260, 300], [560, 480]);
  await designer.click([620, 200]);
  await visitor.page.keyboard.down('Shift');
  await designer.click([660, 480]);
  await visitor.page.keyboard.up('Shift');
  await designer.sees('2 layers selected');
  await visitor.click('button', 'Align left');
}

/** A card in the middle that lays out a picture and two texts below each other. */
async function makeStory(designer: Designer): Promise<void> {
  const { visitor } = designer;
  await designer.set('Colour', '#0f172a');
  await designer.add('group', /^Group, Group, x 216, y 384, 648 × 1152/);
  await visitor.click('radio', 'Column');
  await designer.set('Gap', 32);
  await designer.set('Background colour', '#fef3c7');
  await designer.addText('Three walks by the sea', /placed by Group/);
  await designer.font('Lora');
  await visitor.click('option', 'Group');
  await designer.addText('With a ferry, a lighthouse and cake', /placed by Group/);
  await visitor.click('option', 'Group');
  await designer.add('image', /^Image, Image, placed by Group/);
  await designer.set('Key', 'photo');
  // in a column a drag changes the order: the picture comes first
  const { y, height } = await designer.box();
  await designer.drag([400, y + height / 2], [400, 390]);
  await visitor.click('option', 'Group');
  await visitor.click('radio', 'Middle, centre');
}

/** A stub with a code beside a turned number, a dashed line, and a star of which there are three at equal distances. */
async function makeTicket(designer: Designer): Promise<void> {
  const { visitor } = designer;
  await designer.set('Colour', '#fffbeb');
  await designer.add('QR code', /^QR code, QR code/);
  await designer.set('Key', 'link');
  // along the middle of the canvas, which it snaps to
  await designer.drag([700, 280], [1230, 283]);
  await designer.sees(/^link, QR code, x 1132, y 182/);
  await designer.addText('No. 0042');
  await designer.set('Width', 300);
  await visitor.click('radio', 'Centre');
  // the handle that turns is outside of the corner
  await designer.drag([560, 280], [800, 300]);
  const text = await designer.box();
  await designer.turn([text.x + text.width, text.y + text.height], 90);
  await designer.sees(/turned by -?90°/);
  await visitor.click('button', 'More shapes');
  await visitor.click('menuitem', 'Star');
  await designer.sees(/^Star, Shape/);
  await designer.set('Width', 80);
  await designer.set('Height', 80);
  await designer.set('X', 60);
  await designer.set('Y', 60);
  await designer.set('Fill colour', '#d97706');
  await designer.drag([100, 100], [300, 100], ['Alt']);
  await designer.drag([300, 100], [460, 120], ['Alt']);
  await designer.drag([-20, -20], [560, 190]);
  await designer.sees('3 layers selected');
  await visitor.click('button', 'Align top');
  await visitor.click('button', 'Distribute horizontally');
}

/** A badge, without a pointer. */
async function makeBadge(designer: Designer): Promise<void> {
  const { visitor } = designer;
  await visitor.tabTo('button Add shape');
  await designer.press('Enter');
  await designer.sees(/^Rectangle, Shape/);
  await designer.focusCanvas();
  for (const key of ['Control+Shift+ArrowRight', 'Control+Shift+ArrowDown', 'Shift+ArrowLeft', 'ArrowUp'])
    await designer.press(key);
  await designer.press('Control+d');
  await designer.press('Shift+ArrowRight');
  await visitor.tabTo('input Fill colour');
  await designer.type('#dc2626');
  await visitor.tabTo('input Rotation', 'Shift+Tab');
  await designer.type('15');
  await visitor.tabTo('button Add text', 'Shift+Tab');
  await designer.press('Enter');
  await designer.sees(/^Text, Text/);
}

export const MOUSE_DESIGNS: readonly Design[] = [
  {
    ...{ name: 'Social card', width: 1200, height: 630, make: makeSocialCard },
    expected: {
      layers: [
        { x: 0, y: 0, width: 420, height: 630, fillColor: /^linear-gradient\(160deg, #f97316.*, #7c3aed/ },
        { key: 'title', text: 'Harbour nights', x: 480, fontFamily: 'Poppins', fontSize: 84, height: 'auto' },
        { key: 'date', label: 'Date of the event', x: 480, fontSize: 36 },
      ],
    },
  },
  {
    ...{ name: 'Story', width: 1080, height: 1920, make: makeStory },
    expected: {
      background: { color: '#0f172a' },
      layers: [
        {
          ...{ type: 'group', layout: 'column', gap: 32, justifyContent: 'center', alignItems: 'center' },
          layers: [{ type: 'image', key: 'photo' }, { fontFamily: 'Lora' }, { type: 'text' }],
        },
      ],
    },
  },
  {
    ...{ name: 'Ticket', width: 1400, height: 560, make: makeTicket },
    expected: {
      layers: [
        { type: 'qrcode', key: 'link', x: 1132, y: 182 },
        { type: 'text', textAlign: 'center', rotation: 90 },
        { shapeType: 'star', x: 60, y: 60, fillColor: '#d97706' },
        { shapeType: 'star', y: 60 },
        { shapeType: 'star', y: 60 },
      ],
    },
  },
];

export const KEYBOARD_DESIGN: Design = {
  ...{ name: 'Badge', width: 400, height: 300, make: makeBadge },
  expected: {
    layers: [
      { shapeType: 'rectangle', x: 130, y: 89, width: 130, height: 130 },
      { shapeType: 'rectangle', x: 150, y: 99, fillColor: '#dc2626', rotation: 15 },
      { type: 'text' },
    ],
  },
};

export const DESIGNS = [...MOUSE_DESIGNS, KEYBOARD_DESIGN];
