// A mid-range phone on an ordinary mobile network, as goal S9 requires: CPU × 4, 9 Mbps, 85 ms.

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };
const CPU_SLOWER = 4;
const BYTES_PER_SECOND = 9_000_000 / 8;
const LATENCY_MS = 85;

/**
 * Opens an empty tab with an empty cache.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} observer runs in the page before its own scripts
 * @returns {Promise<import("./slow-phone.d.mts").SlowPhone>}
 */
export const openSlowPhone = (browser, observer) => openSlowly(browser, observer, PHONE);

/**
 * The same with another screen.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} observer
 * @param {import("@playwright/test").BrowserContextOptions} options
 * @returns {Promise<import("./slow-phone.d.mts").SlowPhone>}
 */
export async function openSlowly(browser, observer, options) {
  const context = await browser.newContext(options);
  await context.addInitScript({ content: observer });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  const line = { offline: false, latency: LATENCY_MS, downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND };
  await devtools.send("Network.emulateNetworkConditions", line);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER });
  return {
    page,
    devtools,
    // Not through Playwright, whose own scripts in the page would be measured too: they block it for longer than the page does.
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails !== undefined)
        throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
      return result.value;
    },
    close: () => context.close(),
  };
}
