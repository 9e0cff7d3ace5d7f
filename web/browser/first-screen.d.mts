import type { Browser } from "@playwright/test";

/** One log-in on a slow computer (CPU × 4, 9 Mbps, 85 ms) with an empty cache: milliseconds from the click to the complete screen. */
export function logInSlowly(browser: Browser, url: string, admin: { readonly email: string; readonly password: string }): Promise<number>;
