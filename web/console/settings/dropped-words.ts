import type { Dropped } from "../../ui/theme.ts";

/** The colours that can be given, as the fields are labelled, and those that only stand in the style sheet. */
const names: Record<string, string> = {
  accent: "Accent",
  "accent-text": "Text on accent",
  "accent-soft": "soft ground of the accent",
  background: "Background",
  surface: "Cards",
  text: "Text",
  border: "Lines",
  quiet: "quiet text",
  bad: "red of errors",
  good: "green of success",
};
const nameOf = (token: string): string => names[token] ?? token;

/** What a signer would not see of the branding, and why. */
export function droppedWords(dropped: Dropped): string {
  if ("name" in dropped) return `Not used: ${nameOf(dropped.name)}. It is no opaque colour, such as #0a5c36 or oklch(50% 0.1 150).`;
  const { pair, lost } = dropped;
  // Cut off, not rounded: 4.46 is not enough, and must not be told as 4.5.
  const contrast = `${(Math.floor(dropped.contrast * 10) / 10).toFixed(1)}:1`;
  const other = pair.find((name) => !lost.includes(name));
  const whose = other === undefined ? "Together they have" : `With the default “${nameOf(other)}” it has`;
  return `Not used: ${lost.map(nameOf).join(" and ")}. ${whose} a contrast of ${contrast}; it takes 4.5:1 to be read.`;
}
