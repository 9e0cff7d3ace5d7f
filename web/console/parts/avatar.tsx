import { Glyph, type GlyphName } from "./glyph.tsx";

/** How far a person has come. */
export type Standing = "done" | "waiting" | "refused" | "later";

const badges: Readonly<Record<Standing, GlyphName | null>> = { done: "check", waiting: "clock", refused: "cross", later: null };

interface AvatarProps {
  readonly name: string;
  readonly standing?: Standing;
  /** for screen readers; without it the name stands beside the avatar, and screen readers skip the avatar */
  readonly label?: string;
}

const COLOURS = 4;

/** The first letters of a person's name. The colour is always the same for the same name and has no meaning. */
export function Avatar({ name, standing, label }: AvatarProps) {
  const colour = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % COLOURS;
  const badge = standing === undefined ? null : badges[standing];
  return (
    <span
      class={`avatar colour-${colour}`}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label, title: label })}
    >
      {initialsOf(name)}
      {standing !== undefined && <span class={`avatar-badge ${standing}`}>{badge !== null && <Glyph name={badge} />}</span>}
    </span>
  );
}

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const firstOf = (word: string): string => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? "";

/** Of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return (
    [first, last]
      .map((word) => (word === undefined ? "" : firstOf(word)))
      .join("")
      .toUpperCase() || "?"
  );
}
