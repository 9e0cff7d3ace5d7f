import type { Browser, BrowserContextOptions, CDPSession, Page } from "@playwright/test";

export interface SlowPhone {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** The value of an expression in the page. A promise is awaited. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows what the expression is
  readonly evaluate: (expression: string) => Promise<any>;
  readonly close: () => Promise<void>;
}

/** An empty tab of a phone with an empty cache: CPU × 4, 9 Mbps, 85 ms. */
export function openSlowPhone(browser: Browser, observer: string): Promise<SlowPhone>;

/** The same with another screen. */
export function openSlowly(browser: Browser, observer: string, options: BrowserContextOptions): Promise<SlowPhone>;
