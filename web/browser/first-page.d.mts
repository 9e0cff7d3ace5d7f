import type { Browser } from "@playwright/test";

export interface Visit {
  /** from the navigation to the frame after the first page's picture was decoded */
  readonly visible_ms: number;
  readonly shift: number;
  /** what tasks took above 50 ms */
  readonly blocked_ms: number;
  /** when the first page was asked for, and when the session's answer was there */
  readonly page_asked_ms: number;
  readonly session_there_ms: number;
  /** the first page as it came */
  readonly picture: Buffer;
}

/** One visit of a phone with an empty cache: CPU × 4, 9 Mbps, 85 ms. */
export function visitSlowly(browser: Browser, url: string): Promise<Visit>;
