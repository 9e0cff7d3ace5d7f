const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "3 hours ago" or "in 2 days"; "just now" within a minute. */
export function fromNow(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? [null, 1];
  return unit === null ? (seconds > 0 ? "in a moment" : "just now") : relative.format(Math.trunc(seconds / size), unit);
}

export const utc = (iso: string): string => `${iso.slice(0, 19).replace("T", " ")} UTC`;

export const local = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
/** An absolute date, for days where "in 3 years" would not be exact enough. */
export const day = (iso: string): string => days.format(new Date(iso));

/** Local time and UTC, for times that may be quoted. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {local(at)} <span class="quiet small">{utc(at)}</span>
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
