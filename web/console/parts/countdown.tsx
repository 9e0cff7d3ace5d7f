import { useEffect, useState } from "preact/hooks";
import { serverNow } from "../server-now.ts";
import { en as words } from "../words/when/en.ts";
import { SECOND_MS } from "./durations.ts";
import { utc } from "./when.tsx";

/** A duration in its two largest units: "42 s", "1 h 20 min", "6 d 23 h". */
export function formatDuration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return words.seconds(s);
  if (s < 3_600) return words.minutes(Math.floor(s / 60), s % 60);
  if (s < 86_400) return words.hours(Math.floor(s / 3_600), Math.floor((s % 3_600) / 60));
  return words.days(Math.floor(s / 86_400), Math.floor((s % 86_400) / 3_600));
}

interface CountdownProps {
  readonly at: string;
  /** shown after the countdown has ended */
  readonly over: string;
}

/** A countdown such as "in 59 min 3 s". It is not a live region, because it changes every second. */
export function Countdown({ at, over }: CountdownProps) {
  const end = new Date(at).getTime();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), SECOND_MS);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <time class="when" dateTime={at} data-utc={utc(at)}>
      {end > now ? words.in(formatDuration((end - now) / SECOND_MS)) : over}
    </time>
  );
}
