// Measures how soon the first page of a document is visible on a mid-range phone.
import { openSlowPhone } from "./slow-phone.mjs";

// Tasks up to this long do not block the page noticeably; the excess of longer tasks does.
const LONG_TASK_MS = 50;

/** Runs in the page: records when the first page image was painted, layout shifts, and long tasks. */
const OBSERVE = `
const appears = (selector) => new Promise((resolve) => {
  const look = new MutationObserver(() => {
    const found = document.querySelector(selector);
    if (found === null) return;
    look.disconnect();
    resolve(found);
  });
  look.observe(document, { childList: true, subtree: true });
});
// The page reads its images as blobs, of which the browser's tools have no bytes.
const make = URL.createObjectURL.bind(URL);
URL.createObjectURL = (blob) => {
  firstPage.picture ??= blob;
  return make(blob);
};
const base64 = () => new Promise((resolve) => {
  if (firstPage.picture === undefined) return resolve("");
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(",")[1]);
  reader.readAsDataURL(firstPage.picture);
});
window.firstPage = { base64, shift: 0, blocked_ms: 0, heading: appears("h1").then(() => undefined), at_ms: new Promise((resolve) => {
  const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  appears("[data-page='1'] img").then((picture) => picture.decode()).then(painted, painted);
}) };
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) firstPage.shift += value }).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) firstPage.blocked_ms += Math.max(0, duration - ${LONG_TASK_MS}) }).observe({ type: "longtask", buffered: true });
`;

/**
 * One visit with an empty cache, slowed down as goal S9 requires.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} url
 * @returns {Promise<import("./first-page.d.mts").Visit>}
 */
export async function visitSlowly(browser, url) {
  const { page, evaluate, close } = await openSlowPhone(browser, OBSERVE);
  try {
    await page.goto(url);
    const visible_ms = await evaluate("firstPage.at_ms");
    // Later content must not move the first page either.
    await evaluate("firstPage.heading");
    await page.waitForLoadState("networkidle");
    const { shift, blocked_ms } = await evaluate("({ shift: firstPage.shift, blocked_ms: firstPage.blocked_ms })");
    /** @type {{ name: string, startTime: number, responseEnd: number }[]} */
    const resources = await evaluate("performance.getEntriesByType('resource').map((entry) => entry.toJSON())");
    const page_asked_ms = resources.find(({ name }) => name.endsWith("/pages/1"))?.startTime ?? Number.NaN;
    const session_there_ms = resources.find(({ name }) => /\/embed\/sign\/[^/]+$/.test(name))?.responseEnd ?? Number.NaN;
    const picture = Buffer.from(await evaluate("firstPage.base64()"), "base64");
    return { visible_ms, shift, blocked_ms, page_asked_ms, session_there_ms, picture };
  } finally {
    await close();
  }
}
