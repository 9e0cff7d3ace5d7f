import type { Dropped } from "../../ui/theme.ts";

/** The labels of the colour fields, and names for colours that are only in the style sheet. */
const names: Record<string, string> = {
  accent: "Accent",
  "accent-text": "Text on accent",
  "accent-soft": "soft accent background",
  background: "Background",
  surface: "Cards",
  text: "Text",
  border: "Borders",
  quiet: "muted text",
  bad: "error red",
  good: "success green",
  caution: "caution amber",
};
export const nameOf = (token: string): string => names[token] ?? token;

/** The colours that are not used. */
export const lostNames = (dropped: readonly Dropped[]): readonly string[] => [
  ...new Set(dropped.flatMap((one) => ("name" in one ? [one.name] : one.lost))),
];

/** Which part of the branding is not applied, and why. */
export function droppedWords(dropped: Dropped): string {
  if ("name" in dropped) return `Not used: ${nameOf(dropped.name)}. It must be an opaque colour such as #0a5c36 or oklch(50% 0.1 150).`;
  const { pair, lost } = dropped;
  // Truncated, not rounded: 4.46 is not enough and must not be shown as 4.5.
  const contrast = `${(Math.floor(dropped.contrast * 10) / 10).toFixed(1)}:1`;
  const other = pair.find((name) => !lost.includes(name));
  const whose = other === undefined ? "Together they have" : `With the default “${nameOf(other)}” it has`;
  return `Not used: ${lost.map(nameOf).join(" and ")}. ${whose} a contrast of ${contrast}. Readable text needs at least 4.5:1.`;
}
