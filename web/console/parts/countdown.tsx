import { useEffect, useState } from "preact/hooks";
import { SECOND_MS } from "./durations.ts";
import { utc } from "./when.tsx";

/** A duration in its two largest units: "42 s", "1 h 20 min", "6 d 23 h". */
export function formatDuration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  const both = (large: number, unit: string, small: number, of: string) =>
    small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${of}`;
  if (s < 60) return `${s} s`;
  if (s < 3_600) return both(Math.floor(s / 60), "min", s % 60, "s");
  if (s < 86_400) return both(Math.floor(s / 3_600), "h", Math.floor((s % 3_600) / 60), "min");
  return both(Math.floor(s / 86_400), "d", Math.floor((s % 86_400) / 3_600), "h");
}

interface CountdownProps {
  readonly at: string;
  /** shown after the countdown has ended */
  readonly over: string;
}

/** A countdown such as "in 59 min 3 s". It is not a live region, because it changes every second. */
export function Countdown({ at, over }: CountdownProps) {
  const end = new Date(at).getTime();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <time class="when" dateTime={at} data-utc={utc(at)}>
      {end > now ? `in ${formatDuration((end - now) / SECOND_MS)}` : over}
    </time>
  );
}
