import type { Browser } from "@playwright/test";

export interface Visit {
  /** from the navigation to the frame after the first page image was decoded */
  readonly visible_ms: number;
  readonly shift: number;
  /** total time that tasks took beyond 50 ms each */
  readonly blocked_ms: number;
  /** when the first page was requested, and when the session answer arrived */
  readonly page_asked_ms: number;
  readonly session_there_ms: number;
  /** the image of the first page; empty if the page did not load it itself */
  readonly picture: Buffer;
}

/** One visit of a phone with an empty cache: CPU × 4, 9 Mbps, 85 ms. */
export function visitSlowly(browser: Browser, url: string): Promise<Visit>;
