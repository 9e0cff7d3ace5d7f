import { contract } from "./documents.mjs";
import { atLeast, atMost, median } from "./figure.mjs";
import { openConsole } from "./open-console.mjs";

const PAGES = 100;
const FIELDS = 500;
const ROUNDS = 5;
const MOVES = 120;

/** Runs in the page: counts the frames that are drawn. */
const COUNT_FRAMES = `
window.drawn = { count: 0, began: performance.now(), isOver: false };
{
  const next = () => {
    drawn.count++;
    if (!drawn.isOver) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}`;

/** Runs in the page: how long the next save takes, by what the toolbar says. */
const WATCH_SAVE = `
window.saved = new Promise((resolve) => {
  const state = document.querySelector(".builder-state");
  let began = 0;
  const watch = new MutationObserver(() => {
    if (state.textContent === "Saving…") began = performance.now();
    if (began === 0 || !state.textContent.endsWith("saved")) return;
    watch.disconnect();
    resolve(performance.now() - began);
  });
  watch.observe(state, { childList: true, characterData: true, subtree: true });
});
// The promise itself would be the answer, and waited for.
null`;

/**
 * BUILDER: a template of 100 pages with 500 fields in the console's builder. A field is dragged with 120 moves of the mouse: the frames
 * that the browser draws in a second meanwhile. Then the changes are saved without being asked for: from the beginning of the save until
 * the page says that it is done.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureBuilder({ end }) {
  const { browser, page, url, api, headers } = await openConsole(end);
  const template_id = await createTemplate(api, headers);
  await page.goto(`${url}/templates/${template_id}`);
  await page.getByText(`${FIELDS} fields, saved`).waitFor();
  /** @type {number[]} */
  const frames = [];
  /** @type {number[]} */
  const saves = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate(WATCH_SAVE);
    frames.push(await dragField(page, round % 2 === 0 ? 1 : -1));
    saves.push(/** @type {number} */ (await page.evaluate("saved")));
  }
  const [frame, save] = [median(frames), median(saves)];
  const figure = { id: "BUILDER", values: { frames, saves, browser: browser.version() } };
  return [
    {
      ...figure,
      name: `${FIELDS} fields on ${PAGES} pages: frames a second while a field is dragged`,
      measured: frame.toFixed(0),
      goal: ">= 50",
      verdict: atLeast(frame, 50),
    },
    { ...figure, name: "  saving all of them", measured: `${save.toFixed(0)} ms`, goal: "<= 300 ms", verdict: atMost(save, 300) },
  ];
}

/** @param {string} url @param {Record<string, string>} headers @returns {Promise<string>} */
async function createTemplate(url, headers) {
  const fields = Array.from({ length: FIELDS }, (_, n) => {
    const area = { page: (n % PAGES) + 1, x: 0.1, y: 0.1 + 0.15 * Math.floor(n / PAGES), w: 0.3, h: 0.04 };
    return { name: `Field ${n + 1}`, type: "text", role: "Tenant", placement: { mode: "absolute", areas: [area] } };
  });
  const body = new FormData();
  body.set("name", "Large");
  body.set("fields_json", JSON.stringify(fields));
  body.set("file", new Blob([Uint8Array.from(contract(PAGES, "simple"))], { type: "application/pdf" }), "large.pdf");
  const answer = await fetch(`${url}/api/v2/partner/templates`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`creating a template returned ${answer.status}: ${await answer.text()}`);
  const { data } = /** @type {{ data: { template_id: string } }} */ (await answer.json());
  return data.template_id;
}

/** Drags the first field, and returns how many frames a second the browser drew. @param {import("@playwright/test").Page} page @param {1 | -1} way */
async function dragField(page, way) {
  const box = await page.getByRole("button", { name: /^Field 1, / }).boundingBox();
  if (box === null) throw new Error("the field is not on the page");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(COUNT_FRAMES);
  for (let move = 1; move <= MOVES; move++) await page.mouse.move(x + way * move, y + Math.sin(move / 10) * 20);
  const frames = /** @type {number} */ (
    await page.evaluate("(drawn.isOver = true, (drawn.count * 1000) / (performance.now() - drawn.began))")
  );
  await page.mouse.up();
  return frames;
}
