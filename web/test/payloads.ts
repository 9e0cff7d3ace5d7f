import type { Page } from "./browser.ts";

/** Texts that try to inject markup or scripts. */
export const payloads = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "'\"><iframe srcdoc='<script>alert(1)</script>'>",
  "javascript:alert(1)",
  "</script><script>alert(1)</script>",
  "{{constructor.constructor('alert(1)')()}}",
  "<a href=javascript:alert(1)>x</a>",
  "<style>*{display:none}</style>",
  "\u202Egnp.exe <!--",
] as const;

/** Removes the right-to-left override, which the API rejects in names of people and organizations. */
export const withoutTurning = (text: string): string => text.replaceAll("\u202E", "");

/** Counts elements that can only come from one of these texts. */
export const elementsFrom = (page: Page): Promise<number> =>
  page.evaluate<number>(
    "document.querySelectorAll('img[src=x], svg[onload], iframe, a[href^=\"javascript\"], body style, [onerror]').length",
  );
