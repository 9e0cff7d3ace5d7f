import { formatNumber } from "../../format-number.ts";

/** The words of the chart with a bar for each day. A table of another language must have the same members. */
export const en = {
  day: "Day",
  nothing: "Nothing in this time.",
  peak: (most: number) => `Busiest day: ${formatNumber(most)}`,
};
