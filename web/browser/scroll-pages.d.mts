import type { Browser } from "@playwright/test";

export interface Scroll {
  /** the longest time that a page in the window was blank without interruption */
  readonly longest_ms: number;
  /** all such times together */
  readonly total_ms: number;
  /** the page that was blank longest */
  readonly page: number;
  /** frames that were drawn, and the time of the whole scroll */
  readonly frames: number;
  readonly took_ms: number;
}

/** One visit of a phone with an empty cache (CPU × 4, 9 Mbps, 85 ms), scrolled from the first page to the last. */
export function scrollSlowly(browser: Browser, url: string): Promise<Scroll>;
