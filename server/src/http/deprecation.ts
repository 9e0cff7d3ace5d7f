import type { Stability } from "./endpoint.ts";

/** A deprecated operation, with the headers of each of its responses. */
export type DeprecationHeaders = Readonly<Record<"deprecation" | "sunset" | "link", string>>;

const LINK = '</docs>; rel="deprecation"; type="text/html"';
const SHORTEST_MONTHS = 12;

/** RFC 9745 and RFC 8594; null if the operation is not deprecated. */
export function deprecationHeaders(stability: Stability | null): DeprecationHeaders | null {
  if (stability === null || stability === "beta") return null;
  const [since, until] = [dayOf(stability.since), dayOf(stability.until)];
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + SHORTEST_MONTHS);
  if (until < earliest) throw new Error(`an operation deprecated since ${stability.since} works until ${dayText(earliest)} at least`);
  return { deprecation: `@${since.getTime() / 1000}`, sunset: until.toUTCString(), link: LINK };
}

const dayText = (day: Date): string => day.toISOString().slice(0, "2027-01-01".length);

function dayOf(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || dayText(day) !== text) throw new Error(`${text} is not a day such as 2027-01-01`);
  return day;
}
