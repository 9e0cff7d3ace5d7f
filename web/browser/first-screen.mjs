// Measures how soon the first screen of the console is complete after a log-in on a slow computer.
import { openSlowly } from "./slow-phone.mjs";

const COMPUTER = { viewport: { width: 1440, height: 900 } };

/** Runs in the page: when Home shows what needs attention and its figures. */
const OBSERVE = `
window.firstScreen = new Promise((resolve) => {
  const look = new MutationObserver(() => {
    if (document.querySelector("#needs-attention") === null || document.querySelector(".big-figures, .by-status") === null) return;
    look.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
  look.observe(document, { childList: true, subtree: true });
});
addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("button[type=submit]") !== null) window.clickedAt ??= performance.now();
}, { capture: true });
`;

/**
 * One log-in with an empty cache. Returns the milliseconds from the click to the complete screen.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} url
 * @param {{ email: string, password: string }} admin
 * @returns {Promise<number>}
 */
export async function logInSlowly(browser, url, { email, password }) {
  const { page, evaluate, close } = await openSlowly(browser, OBSERVE, COMPUTER);
  try {
    await page.goto(url);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    return await evaluate("firstScreen.then((at) => at - clickedAt)");
  } finally {
    await close();
  }
}
