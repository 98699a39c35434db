// The margins that platforms cover with their own controls, in pixels of a picture of the platform's size.
import type { SafeAreaName } from '../contract/messages/findings.js';
import type { Rect } from '../geometry/rect.js';

interface SafeArea {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const PORTRAIT = { width: 1080, height: 1920 } as const;

/** docs/findings.md has the same table. */
const AREAS: Readonly<Record<SafeAreaName, SafeArea>> = {
  'instagram-story': { ...PORTRAIT, top: 250, right: 65, bottom: 340, left: 65 },
  'instagram-reel': { ...PORTRAIT, top: 270, right: 65, bottom: 670, left: 65 },
  'facebook-story': { ...PORTRAIT, top: 270, right: 65, bottom: 380, left: 65 },
  tiktok: { ...PORTRAIT, top: 130, right: 120, bottom: 370, left: 60 },
  'youtube-short': { ...PORTRAIT, top: 288, right: 192, bottom: 672, left: 48 },
  'youtube-banner': { width: 2560, height: 1440, top: 508, right: 507, bottom: 509, left: 507 },
};

/** The area that the platform leaves free, on a canvas of this size in any unit. */
export function safeArea(name: SafeAreaName, width: number, height: number): Rect {
  const area = AREAS[name];
  const [across, down] = [width / area.width, height / area.height];
  return {
    left: area.left * across,
    top: area.top * down,
    right: width - area.right * across,
    bottom: height - area.bottom * down,
  };
}
