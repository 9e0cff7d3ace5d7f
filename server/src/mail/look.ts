/** How an organization's messages look. */
export interface Look {
  readonly org_name: string;
  readonly has_logo: boolean;
  /** the background of the button, and the text on it, as #rrggbb */
  readonly accent: string;
  readonly accent_text: string;
}

const ACCENT = "#2450c8";
const ACCENT_TEXT = "#ffffff";
// WCAG 2.2, 1.4.3.
const LEAST_CONTRAST = 4.5;

export interface Brand {
  readonly name: string;
  readonly has_logo: boolean;
  readonly accent: string | null;
  readonly accent_text: string | null;
}

/**
 * The organization's colours, if mail programs know their notation (hexadecimal) and the text of the button can be read; otherwise the
 * standard colours.
 */
export function lookOf({ name: org_name, has_logo, accent, accent_text }: Brand): Look {
  const [back, front] = [sixDigits(accent), accent_text === null ? ACCENT_TEXT : sixDigits(accent_text)];
  if (back === null || front === null || contrast(back, front) < LEAST_CONTRAST)
    return { org_name, has_logo, accent: ACCENT, accent_text: ACCENT_TEXT };
  return { org_name, has_logo, accent: back, accent_text: front };
}

/** Messages of the installation, which belong to no organization. */
export const PLAIN_LOOK: Look = { org_name: "Countersign", has_logo: false, accent: ACCENT, accent_text: ACCENT_TEXT };

function sixDigits(colour: string | null): string | null {
  if (colour === null) return null;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`.toLowerCase();
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : null;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The relative luminance of WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
