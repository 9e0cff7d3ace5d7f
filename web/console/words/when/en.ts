const two = (large: number, unit: string, small: number, of: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${of}`;

/** The words of times and durations. A table of another language must have the same members. */
export const en = {
  soon: "in a moment",
  now: "just now",
  utc: (time: string) => `${time} UTC`,
  in: (duration: string) => `in ${duration}`,
  seconds: (s: number) => `${s} s`,
  minutes: (min: number, s: number) => two(min, "min", s, "s"),
  hours: (h: number, min: number) => two(h, "h", min, "min"),
  days: (d: number, h: number) => two(d, "d", h, "h"),
};
