// The time on a signer's clock. The zone is the one that the signer's browser stated when it signed.

import type { Link } from "../verify-chain.ts";

/** `2026-03-05 04:08:00 Europe/Berlin (UTC+01:00)`; null if this is not a known zone. */
export function localTime(time: string, timezone: string): string | null {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "longOffset",
    }).formatToParts(new Date(time));
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? "";
    const offset = part("timeZoneName").replace("GMT", "UTC");
    return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")} ${timezone} (${offset})`;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The zone in which a signer signed, from the signer's own entries; null if none is recorded. */
export function timezoneOf(slug: string | null, links: readonly Link[]): string | null {
  const signed = links.find(({ entry }) => entry.type === "signature.applied" && entry.actor.id === slug);
  const { timezone } = Object(signed?.data?.data ?? {}) as { readonly timezone?: unknown };
  return typeof timezone === "string" ? timezone : null;
}
