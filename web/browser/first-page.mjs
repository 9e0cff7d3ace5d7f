// Measures how soon the first page of a document is visible on a mid-range phone.

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };
const CPU_SLOWER = 4;
const BYTES_PER_SECOND = 9_000_000 / 8;
const LATENCY_MS = 85;
// Tasks up to this long do not block the page noticeably; the excess of longer tasks does.
const LONG_TASK_MS = 50;

/** Runs in the page: records when the first page image was painted, layout shifts, and long tasks. */
const OBSERVE = `
window.firstPage = { shift: 0, blocked_ms: 0, at_ms: new Promise((resolve) => {
  const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  const look = new MutationObserver(() => {
    const picture = document.querySelector("[data-page='1'] img");
    if (picture === null) return;
    look.disconnect();
    picture.decode().then(painted, painted);
  });
  look.observe(document, { childList: true, subtree: true });
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
  const context = await browser.newContext(PHONE);
  try {
    await context.addInitScript({ content: OBSERVE });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    const line = { offline: false, latency: LATENCY_MS, downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND };
    await devtools.send("Network.emulateNetworkConditions", line);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER });
    const drawn = page.waitForResponse((answer) => /\/pages\/1$|\/picture$/.test(answer.url()));
    await page.goto(url);
    const visible_ms = await page.evaluate("firstPage.at_ms");
    // Later content must not move the first page either.
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForLoadState("networkidle");
    const { shift, blocked_ms } = await page.evaluate("({ shift: firstPage.shift, blocked_ms: firstPage.blocked_ms })");
    /** @type {{ name: string, startTime: number, responseEnd: number }[]} */
    const resources = await page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.toJSON())");
    const page_asked_ms = resources.find(({ name }) => name.endsWith("/pages/1"))?.startTime ?? Number.NaN;
    const session_there_ms = resources.find(({ name }) => /\/embed\/sign\/[^/]+$/.test(name))?.responseEnd ?? Number.NaN;
    const picture = await (await drawn).body();
    return { visible_ms, shift, blocked_ms, page_asked_ms, session_there_ms, picture };
  } finally {
    await context.close();
  }
}
