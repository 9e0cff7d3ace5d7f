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

/** A relative time. On hover or focus it shows the time in UTC. */
export function When({ at, otherwise = "–" }: { at: string | null; otherwise?: string }) {
  if (at === null) return <span class="quiet">{otherwise}</span>;
  return (
    <time class="when" dateTime={at} data-utc={utc(at)}>
      {fromNow(at)}
    </time>
  );
}
