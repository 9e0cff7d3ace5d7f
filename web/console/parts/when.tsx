import { formatDay, formatMoment, formatRelative } from "../format.ts";
import { serverNow } from "../server-now.ts";
import { en as words } from "../words/when/en.ts";

/** Each unit with its length, and from how many seconds on it is used: 59 days are said as days, not as "next month". */
const units = [
  ["year", 31_557_600, 63_115_200],
  ["month", 2_629_800, 5_184_000],
  ["day", 86_400, 84_600],
  ["hour", 3_600, 3_570],
  ["minute", 60, 60],
] as const;

/** "3 hours ago" or "in 2 days", rounded; "just now" within a minute. */
export function fromNow(iso: string, now = serverNow()): string {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  const [unit, size] = units.find(([, , from]) => Math.abs(seconds) >= from) ?? [null, 1];
  return unit === null ? (seconds > 0 ? words.soon : words.now) : formatRelative(Math.round(seconds / size), unit);
}

export const utc = (iso: string): string => words.utc(iso.slice(0, 19).replace("T", " "));

export const local = formatMoment;

/** An absolute date, for days where "in 3 years" would not be exact enough. */
export const day = formatDay;

/** Local time and UTC, for times that may be quoted. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {local(at)} <span class="quiet small unbroken">{utc(at)}</span>
    </time>
  );
}

/** A relative time. On hover or focus it shows the time in UTC. */
export function When({ at, otherwise = "–" }: { at: string | null; otherwise?: string }) {
  if (at === null) return <span class="quiet">{otherwise}</span>;
  return (
    <time class="when" dateTime={at} data-utc={utc(at)}>
      {fromNow(at)}
    </time>
  );
}
