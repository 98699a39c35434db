/** A card with a title, as a payload. */
export const card = (title) => ({
  canvas: { width: 1200, height: 630, backgroundColor: '#14213d' },
  layers: [
    {
      ...{ type: 'text', text: title, x: 80, y: 80, width: 1040, height: 470 },
      ...{ fontFamily: 'Poppins', fontSize: 96, autoFit: true, color: 'white' },
    },
  ],
});
