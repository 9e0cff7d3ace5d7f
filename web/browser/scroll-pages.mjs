// Measures how long pages in the window are blank while a phone scrolls through a document.
import { openSlowPhone } from "./slow-phone.mjs";

// About two pages a second: a reader who looks for something, not one who reads.
const PIXELS_PER_SECOND = 1_000;
// Each frame scrolls a little further.
const STEP_MS = 16;

/** Runs in the page: in each frame, which pages in the window have no image that is loaded, and since when. */
const OBSERVE = `
window.scrolling = { longest_ms: 0, total_ms: 0, frames: 0, page: 0 };
{
  const visible = new Set();
  const since = new Map();
  const isBlank = (sheet) => {
    const picture = sheet.querySelector("img.picture");
    return picture === null || !picture.complete || picture.naturalWidth === 0;
  };
  const count = (sheet, now) => {
    const blank_ms = now - since.get(sheet);
    since.delete(sheet);
    scrolling.total_ms += blank_ms;
    if (blank_ms <= scrolling.longest_ms) return;
    scrolling.longest_ms = blank_ms;
    scrolling.page = Number(sheet.dataset.page);
  };
  const frame = (now) => {
    scrolling.frames += 1;
    for (const sheet of [...visible, ...since.keys()]) {
      if (visible.has(sheet) && isBlank(sheet)) {
        if (!since.has(sheet)) since.set(sheet, now);
      } else if (since.has(sheet)) count(sheet, now);
    }
    requestAnimationFrame(frame);
  };
  /** Pages that are blank at the end count too. */
  scrolling.end = () => {
    for (const sheet of [...since.keys()]) count(sheet, performance.now());
    return { ...scrolling, watch: undefined, end: undefined };
  };
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
    }
  });
  scrolling.watch = () => {
    for (const sheet of document.querySelectorAll(".sheet[data-page]")) observer.observe(sheet);
    requestAnimationFrame(frame);
  };
}
`;

/**
 * One visit with an empty cache: opens the document and scrolls to its end at a constant speed.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} url
 * @returns {Promise<import("./scroll-pages.d.mts").Scroll>}
 */
export async function scrollSlowly(browser, url) {
  const { page, devtools, evaluate, close } = await openSlowPhone(browser, OBSERVE);
  try {
    await page.goto(url);
    // The reader scrolls once the pages of the first window are there; how soon that is, the first page says.
    await page.waitForSelector("[data-page='2'] img.picture");
    await evaluate("scrolling.watch()");
    const height = await evaluate("document.documentElement.scrollHeight - innerHeight");
    const began = performance.now();
    for (let scrolled = 0; scrolled < height; ) {
      const due = ((performance.now() - began) / 1_000) * PIXELS_PER_SECOND - scrolled;
      await devtools.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 195, y: 200, deltaX: 0, deltaY: due });
      scrolled += due;
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
    const took_ms = performance.now() - began;
    const left = await evaluate("document.documentElement.scrollHeight - innerHeight - scrollY");
    if (left > 5) throw new Error(`the document was not scrolled to its end: ${left} of ${height} pixels are left`);
    const { longest_ms, total_ms, frames, page: blankest } = await evaluate("scrolling.end()");
    return { longest_ms, total_ms, frames, took_ms, page: blankest };
  } finally {
    await close();
  }
}
