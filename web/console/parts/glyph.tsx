/** Small pictures beside words, outlined on a grid of 24. They only repeat what the words say, so screen readers skip them. */

const strokes = {
  search: "M11 4.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M16 16l4.5 4.5",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.5l4.5 4.5L19 7.5",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17M12 7.5V12l3 2",
  bell: "M6 10.5a6 6 0 0 1 12 0c0 4.5 2 6 2 6H4s2-1.5 2-6M10 19.5h4",
  download: "M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14",
  tag: "M4.5 5.5v6l8.5 8.5 6.5-6.5L11 5zM8.5 9h.01",
  link: "M10.5 13.5l3-3M9 11l-2.5 2.5a3.2 3.2 0 0 0 4.5 4.5L13.5 15.5M15 13l2.5-2.5A3.2 3.2 0 0 0 13 6L10.5 8.5",
  copy: "M9 9h10v11H9zM6 15H5V4h10v2",
  eye: "M2.5 12S6 6 12 6s9.5 6 9.5 6S18 18 12 18s-9.5-6-9.5-6M12 9.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5",
  send: "M20.5 3.5L3.5 10l7 3.5 3.5 7zM20.5 3.5l-10 10",
  mail: "M3.5 6h17v12h-17zM4 7l8 6 8-6",
  sign: "M3.5 16c2-7 4.5-10 6-9.2 1.8 1-2.4 8.3-.7 9.2 1.5.8 2.7-4 4.2-3.7 1.4.3.4 3 1.8 3.3 1.3 0 2-1 5.7-1M4 20h16",
  vault: "M4 5h16v13H4zM12 8.5a3 3 0 1 1 0 6a3 3 0 0 1 0-6M7 18v2M17 18v2",
  person: "M12 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8M4.5 20a7.5 7.5 0 0 1 15 0",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  pencil: "M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19l-4 1zM14 7l3 3",
  page: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.4",
  upload: "M12 16V4M7 9l5-5 5 5M5 20h14",
  template: "M4 4h16v5H4zM4 13h7v7H4zM15 13h5v7h-5z",
  spark: "M12 4l1.8 6.2L20 12l-6.2 1.8L12 20l-1.8-6.2L4 12l6.2-1.8z",
  people: "M9 4a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17.5 14c2 1 3.5 3 3.5 6",
  shield: "M12 3l8 3v6c0 4.5-3.2 7.6-8 9-4.8-1.4-8-4.5-8-9V6zM8.5 12l2.5 2.5 4.5-4.5",
  key: "M8 12a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 13.5L20 4.5M16.5 8l3 3",
  hook: "M12 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6 15a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM18 15a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM10.5 9.5L7.5 15M13.5 9.5l3 5.5M9 18h6",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  custody: "M4 12h10M10 8l4 4-4 4M14 4h6v16h-6",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  building: "M5 20V4h9v16M14 9h5v11M3 20h18M8 8h3M8 12h3M8 16h3",
  settings: "M4 7h9M17 7h3M13 5v4M4 12h3M11 12h9M7 10v4M4 17h9M17 17h3M13 15v4",
  inbox: "M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5",
  activity: "M3 12h4l3-7 4 14 3-7h4",
  globe: "M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17M3.5 12h17M12 3.5c-5 5-5 12 0 17c5-5 5-12 0-17",
} as const;

export type GlyphName = keyof typeof strokes;
export type GlyphTone = "plain" | "accent" | "good" | "caution" | "bad";

/** In a box of its own, in a soft colour. */
export const GlyphBox = ({ name, tone = "plain" }: { name: GlyphName; tone?: GlyphTone }) => (
  <span class={`glyph-box ${tone}`}>
    <Glyph name={name} />
  </span>
);

export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg class={name === "more" ? "glyph bold" : "glyph"} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={strokes[name]} />
    </svg>
  );
}
