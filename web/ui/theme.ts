/**
 * The values that a host or an organization may set to change the look. Values that are not plain colours, and pairs with too little
 * contrast, are dropped, so that a theme cannot make the consent or the statement of intent invisible.
 */
const colours = ["accent", "accent-text", "background", "surface", "text", "border"];
// Opaque colours only. Transparent text would be unreadable.
const COLOUR = /^(#([\da-f]{3}|[\da-f]{6})|(rgb|hsl|oklch)\([\da-z.,% -]{1,50}\))$/i;
const LEAST_CONTRAST = 4.5;

/** Pairs of text and background. A colour that the theme does not set is taken from the style sheet. */
const pairs = [
  ["text", "background"],
  ["text", "surface"],
  ["accent-text", "accent"],
  ["accent", "surface"],
  ["accent", "accent-soft"],
  ["text", "accent-soft"],
  ["quiet", "background"],
  ["quiet", "surface"],
  ["bad", "surface"],
  ["good", "surface"],
  ["caution", "surface"],
] as const;

const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];

export function applyTheme(given: unknown): void {
  if (typeof given === "object" && given !== null) applyThemeTo(document.documentElement, given);
}

/** A value that was dropped, and why: not a valid colour, or a pair with too little contrast. */
export type Dropped =
  | { readonly name: string }
  | {
      readonly pair: readonly [string, string];
      readonly contrast: number;
      /** the colours of the pair that the theme set; any other one is from the style sheet */
      readonly lost: readonly string[];
    };

/**
 * Applies a theme to the page or to a preview inside it. Returns the values that were dropped. Contrast that is sufficient in one colour
 * scheme may be too low in the other, so each scheme has its own values; the style sheet chooses, also if the scheme changes later.
 */
export function applyThemeTo(root: HTMLElement, given: object): readonly Dropped[] {
  // Branding spells `accent_text` as the API does.
  const theme = new Map(Object.entries(given).map(([name, value]) => [name.replace("_", "-"), String(value)]));
  const chosen = SCHEMES.filter((scheme) => scheme === theme.get("scheme"));
  // What an earlier theme set and this one leaves out is as the style sheet has it.
  delete root.dataset.scheme;
  delete root.dataset.font;
  root.style.removeProperty("--radius");
  for (const scheme of chosen) root.dataset.scheme = scheme;
  const font = theme.get("font");
  if (font === "serif" || font === "rounded") root.dataset.font = font;
  const radius = theme.get("radius") ?? "";
  if (/^(1[0-6]|\d)px$/.test(radius)) root.style.setProperty("--radius", radius);
  const named = colours.filter((name) => theme.has(name));
  const wanted = named.filter((name) => COLOUR.test(theme.get(name) ?? "") && CSS.supports("color", theme.get(name) ?? ""));
  const others = named.filter((name) => !wanted.includes(name)).map((name) => ({ name }));
  const values = new Map(wanted.map((name) => [name, theme.get(name) ?? ""]));
  return [...others, ...(chosen.length > 0 ? chosen : SCHEMES).flatMap((scheme) => colour(root, scheme, values))];
}

/** Sets the colours for one scheme, less the unreadable ones. */
function colour(root: HTMLElement, scheme: Scheme, wanted: ReadonlyMap<string, string>): readonly Dropped[] {
  for (const name of colours) root.style.removeProperty(`--${scheme}-${name}`);
  for (const [name, value] of wanted) root.style.setProperty(`--${scheme}-${name}`, value);
  // Has the colours of the scheme whichever one the page shows now.
  const probe = document.createElement("span");
  probe.dataset.scheme = scheme;
  probe.hidden = true;
  root.append(probe);
  const dropped = dropUnreadable(root, probe, new Set(wanted.keys()));
  probe.remove();
  return dropped;
}

/** Repeats until every pair is readable, because dropping one colour can make another pair unreadable. */
function dropUnreadable(root: HTMLElement, probe: HTMLElement, given: Set<string>): readonly Dropped[] {
  const pair = pairs.find((names) => names.some((name) => given.has(name)) && !(contrast(probe, names) >= LEAST_CONTRAST));
  if (pair === undefined) return [];
  const found = { pair, contrast: contrast(probe, pair), lost: pair.filter((name) => given.has(name)) };
  for (const name of pair) {
    given.delete(name);
    root.style.removeProperty(`--${probe.dataset.scheme}-${name}`);
  }
  return [found, ...dropUnreadable(root, probe, given)];
}

function contrast(probe: Element, pair: readonly string[]): number {
  const [light = 0, dark = 0] = pair.map((name) => luminance(probe, name)).sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance (WCAG 2.2). Paints one pixel, so that every colour notation of the browser works. */
function luminance(probe: Element, name: string): number {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (context === null) return 0;
  context.fillStyle = getComputedStyle(probe).getPropertyValue(`--${name}`).trim();
  context.fillRect(0, 0, 1, 1);
  const point = [...context.getImageData(0, 0, 1, 1).data];
  if (point[3] !== 255) return Number.NaN;
  const [r = 0, g = 0, b = 0] = point
    .map((byte) => byte / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
