import type { Page } from "./browser.ts";

/** Texts by people who mean no good. */
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

/** Names of people and organizations are refused with it. */
export const withoutTurning = (text: string): string => text.replaceAll("\u202E", "");

/** What only one of them could have put on the page. */
export const elementsFrom = (page: Page): Promise<number> =>
  page.evaluate<number>(
    "document.querySelectorAll('img[src=x], svg[onload], iframe, a[href^=\"javascript\"], body style, [onerror]').length",
  );
