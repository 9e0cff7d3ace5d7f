/** Icons that repeat what a colour says. Screen readers read the text beside them. */

const strokes = {
  good: "M5 12.5l4.5 4.5L19 7.5",
  bad: "M7 7l10 10M17 7L7 17",
  // A pencil: a statement, not a calculation.
  attested: "M7.5 16.5l1-3.5 6-6 2.5 2.5-6 6z",
  note: "M12 7v6M12 16.5v.5",
  open: "M8 12h8",
} as const;

export type IconName = keyof typeof strokes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="11" />
      <path d={strokes[name]} />
    </svg>
  );
}
