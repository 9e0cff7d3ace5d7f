import { createServer } from "node:http";
import { chromium } from "@playwright/test";
import { startChromium } from "../web/browser/chromium.mjs";
import { visitSlowly } from "../web/browser/first-page.mjs";
import { scrollSlowly } from "../web/browser/scroll-pages.mjs";
import { call, openOffice, SENDING_SCOPES, sendEnvelope, twoSigners } from "./ceremony.mjs";
import { atMost, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";

const VISITS = 5;
// A typical contract. The later pages must not delay the first one.
const PAGES = 10;
const MANY_PAGES = 60;
const SCROLLS = 3;

/**
 * S9: from the click on a mail's link to the first page of the document on the screen of a phone, with the service on the same computer.
 * Each visit has its own cache. The first visit, for which the service draws the page, does not count. The scroll through a long document
 * counts from the first time.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureFirstPage({ end }) {
  const launched = await startChromium((options) => chromium.launch(options));
  if ("missing" in launched) throw new Error(launched.missing);
  const browser = launched.started;
  end.later(() => browser.close());
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: SENDING_SCOPES });
  const service = startService("start", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/readyz", 60);
  const link = await sendContract(service.url, keys[0] ?? "", PAGES);

  const { picture } = await visitSlowly(browser, link);
  if (picture.length === 0) throw new Error("the image of the first page could not be read");
  const floor = await serveFloor(end, picture);
  await visitSlowly(browser, floor);
  /** @type {Omit<Awaited<ReturnType<typeof visitSlowly>>, "picture">[]} */
  const visits = [];
  /** @type {number[]} */
  const floors = [];
  for (let visit = 0; visit < VISITS; visit++) {
    floors.push((await visitSlowly(browser, floor)).visible_ms);
    const { picture: _, ...measured } = await visitSlowly(browser, link);
    visits.push(measured);
  }
  const long = await sendContract(service.url, keys[0] ?? "", MANY_PAGES);
  const scrolls = [];
  for (let scroll = 0; scroll <= SCROLLS; scroll++) scrolls.push(await scrollSlowly(browser, long));
  const [cold, ...warm] = scrolls.map(({ longest_ms }) => longest_ms);
  const of = (/** @type {"visible_ms" | "shift" | "blocked_ms"} */ name) => median(visits.map((visit) => visit[name]));
  const floor_ms = median(floors);
  const figure = { id: "S9", values: { visits, floors, browser: browser.version() } };
  return [
    {
      ...figure,
      name: "first page visible, CPU × 4, 9 Mbps, 85 ms",
      measured: `${of("visible_ms").toFixed(0)} ms`,
      goal: "<= 600 ms",
      verdict: atMost(of("visible_ms"), 600),
    },
    {
      ...figure,
      name: "the same image in an otherwise empty page",
      measured: `${floor_ms.toFixed(0)} ms, ours ${(of("visible_ms") / floor_ms).toFixed(2)} ×`,
      goal: "<= 2.0 ×",
      verdict: atMost(of("visible_ms") / floor_ms, 2),
    },
    { ...figure, name: "layout shift", measured: of("shift").toFixed(4), goal: "0", verdict: atMost(of("shift"), 0) },
    {
      ...figure,
      name: "blocking time",
      measured: `${of("blocked_ms").toFixed(0)} ms`,
      goal: "<= 100 ms",
      verdict: atMost(of("blocked_ms"), 100),
    },
    {
      id: "S9",
      name: `${MANY_PAGES} pages scrolled at 1,000 pixels a second: longest blank page`,
      measured: `${median(warm).toFixed(0)} ms, the first time ${(cold ?? Number.NaN).toFixed(0)} ms`,
      goal: "<= 300 ms",
      verdict: atMost(Math.max(median(warm), cold ?? Number.NaN), 300),
      values: { scrolls },
    },
  ];
}

/** The link that the first signer of a contract gets. @param {string} url @param {string} key @param {number} pages */
async function sendContract(url, key, pages) {
  const office = await openOffice(url, key, pages);
  const envelope_id = await sendEnvelope(office, { signers: twoSigners(String(pages)) });
  const { json } = await call(url, "GET", `/partner/envelopes/${envelope_id}/signers`, { "x-api-key": key });
  const path = `/partner/envelopes/${envelope_id}/signers/${json.data.signers[0].slug}/link`;
  const { pathname, hash } = new URL((await call(url, "POST", path, { "x-api-key": key })).json.data.url);
  return `${url.replace("127.0.0.1", "localhost")}${pathname}${hash}`;
}

/**
 * The time of the network and the browser alone: a page with the same image and nothing else.
 * @param {import("./harness.mjs").Cleanup} end
 * @param {Buffer} picture
 */
async function serveFloor(end, picture) {
  const page = '<!doctype html><title>Floor</title><h1>Floor</h1><div data-page="1"><img src="/picture" alt=""></div>';
  const server = createServer(({ url }, answer) => {
    answer.setHeader("cache-control", "no-store");
    if (url === "/") answer.setHeader("content-type", "text/html").end(page);
    else if (url === "/picture") answer.end(picture);
    else answer.writeHead(204).end();
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  end.later(() => server.close());
  return `http://localhost:${port}/`;
}
