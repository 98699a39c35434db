// Payloads to start from.
import certificate from '../../../data/templates/certificate.json' with { type: 'json' };
import eventCard from '../../../data/templates/event-card.json' with { type: 'json' };
import chart from '../../../examples/chart.json' with { type: 'json' };
import eventPoster from '../../../examples/event-poster.json' with { type: 'json' };
import languages from '../../../examples/languages.json' with { type: 'json' };
import quote from '../../../examples/quote.json' with { type: 'json' };

export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** The first payload of the playground: small, with a bit of everything. */
const SOCIAL_CARD = `{
  "canvas": { "width": 1200, "height": 630, "backgroundColor": "#16213e" },
  "layers": [
    { "type": "shape", "shapeType": "circle", "x": 780, "y": -160, "width": 620, "height": 620, "fillColor": "#e94560" },
    { "type": "shape", "shapeType": "pill", "x": 80, "y": 96, "width": 96, "height": 10, "fillColor": "#e94560" },
    {
      "type": "text",
      "text": "Pictures from JSON",
      "x": 80, "y": 140, "width": 660, "height": 220,
      "fontFamily": "Inter", "fontWeight": "bold", "fontSize": 84, "lineHeight": 1.1,
      "color": "#ffffff", "autoFit": true
    },
    {
      "type": "text",
      "text": "Change a word here and see it there.",
      "x": 80, "y": 392, "width": 620, "height": 100,
      "fontFamily": "Inter", "fontSize": 34, "lineHeight": 1.3,
      "color": "#c7d0e8"
    },
    {
      "type": "qrcode",
      "data": "https://example.com",
      "x": 948, "y": 378, "width": 172, "height": 172,
      "borderRadius": 12, "colorDark": "#16213e"
    }
  ],
  "format": "png"
}
`;

const BLANK = `{
  "canvas": { "width": 1200, "height": 630, "backgroundColor": "#ffffff" },
  "layers": []
}
`;

export const SAMPLES: readonly Sample[] = [
  { name: 'Social card', text: SOCIAL_CARD },
  { name: 'Blank', text: BLANK },
  { name: 'Chart', text: written(chart) },
  { name: 'Event poster', text: written(eventPoster) },
  { name: 'Languages', text: written(languages) },
  { name: 'Quote', text: written(quote) },
  { name: 'Template: certificate', text: written(certificate) },
  { name: 'Template: event card', text: written(eventCard) },
];

function written(payload: unknown): string {
  return `${JSON.stringify(payload, null, 2)}\n`;
}
