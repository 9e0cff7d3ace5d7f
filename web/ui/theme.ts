/**
 * How a host or an organization may change the look: these names and nothing else. A value that is no plain colour, and a pair that people
 * could not read, is dropped: nobody can paint the consent or the statement of intent invisible.
 */
const colours = ["accent", "accent-text", "background", "surface", "text", "border"];
// Opaque ones: what can be seen through is as good as invisible.
const COLOUR = /^(#([\da-f]{3}|[\da-f]{6})|(rgb|hsl|oklch)\([\da-z.,% -]{1,50}\))$/i;
const LEAST_CONTRAST = 4.5;

/** Pairs that are text on a ground; both sides count with what stands in the style sheet where one is not given. */
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
] as const;

let latest: unknown = null;
// What can be read in one scheme may not be in the other.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme(latest));

export function applyTheme(given: unknown): void {
  if (typeof given !== "object" || given === null) return;
  latest = given;
  dress(document.documentElement, given);
}

/** What is not worn, and why: no colour that is taken, or a pair that nobody could read. */
export type Dropped =
  | { readonly name: string }
  | {
      readonly pair: readonly [string, string];
      readonly contrast: number;
      /** those of the pair that were given; the other is as it stands in the style sheet */
      readonly lost: readonly string[];
    };

/** The page, or a part of it that shows how a page would look; answers what was dropped. */
export function dress(root: HTMLElement, given: object): readonly Dropped[] {
  for (const name of colours) root.style.removeProperty(`--${name}`);
  // Branding spells `accent_text` as the API does.
  const theme = new Map(Object.entries(given).map(([name, value]) => [name.replace("_", "-"), String(value)]));
  const scheme = theme.get("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
  const font = theme.get("font");
  if (font === "serif" || font === "rounded") root.dataset.font = font;
  const radius = theme.get("radius") ?? "";
  if (/^(1[0-6]|\d)px$/.test(radius)) root.style.setProperty("--radius", radius);
  const named = colours.filter((name) => theme.has(name));
  const wanted = named.filter((name) => COLOUR.test(theme.get(name) ?? "") && CSS.supports("color", theme.get(name) ?? ""));
  for (const name of wanted) root.style.setProperty(`--${name}`, theme.get(name) ?? "");
  const others = named.filter((name) => !wanted.includes(name)).map((name) => ({ name }));
  return [...others, ...dropUnreadable(root, new Set(wanted))];
}

/** What is dropped may leave another pair behind that nobody can read. */
function dropUnreadable(root: HTMLElement, given: Set<string>): readonly Dropped[] {
  const pair = pairs.find((names) => names.some((name) => given.has(name)) && !(contrast(root, names) >= LEAST_CONTRAST));
  if (pair === undefined) return [];
  const found = { pair, contrast: contrast(root, pair), lost: pair.filter((name) => given.has(name)) };
  for (const name of pair) {
    given.delete(name);
    root.style.removeProperty(`--${name}`);
  }
  return [found, ...dropUnreadable(root, given)];
}

function contrast(root: Element, pair: readonly string[]): number {
  const [light = 0, dark = 0] = pair.map((name) => luminance(root, name)).sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

/** Any notation that the browser knows, by painting a point with it (WCAG 2.2, relative luminance). */
function luminance(root: Element, name: string): number {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (context === null) return 0;
  context.fillStyle = getComputedStyle(root).getPropertyValue(`--${name}`).trim();
  context.fillRect(0, 0, 1, 1);
  const point = [...context.getImageData(0, 0, 1, 1).data];
  if (point[3] !== 255) return Number.NaN;
  const [r = 0, g = 0, b = 0] = point
    .map((byte) => byte / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
