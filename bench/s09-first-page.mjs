import { createServer } from "node:http";
import { chromium } from "@playwright/test";
import { startChromium } from "../web/browser/chromium.mjs";
import { visitSlowly } from "../web/browser/first-page.mjs";
import { call, openOffice, SENDING_SCOPES, sendEnvelope, twoSigners } from "./ceremony.mjs";
import { atMost, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";

const VISITS = 5;
// A typical contract. The later pages must not delay the first one.
const PAGES = 10;

/**
 * S9: from the click on a mail's link to the first page of the document on the screen of a phone, with the service on the same computer.
 * Each visit has its own cache. The first visit, for which the service draws the page, does not count.
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
  const office = await openOffice(service.url, keys[0] ?? "", PAGES);
  const envelope_id = await sendEnvelope(office, { signers: twoSigners("1") });
  const { json } = await call(office.url, "GET", `/partner/envelopes/${envelope_id}/signers`, { "x-api-key": office.key });
  const path = `/partner/envelopes/${envelope_id}/signers/${json.data.signers[0].slug}/link`;
  const { url } = (await call(office.url, "POST", path, { "x-api-key": office.key })).json.data;
  const { pathname, hash } = new URL(url);
  const link = `${service.url.replace("127.0.0.1", "localhost")}${pathname}${hash}`;

  const { picture } = await visitSlowly(browser, link);
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
      goal: "",
      verdict: "info",
    },
    { ...figure, name: "layout shift", measured: of("shift").toFixed(4), goal: "0", verdict: atMost(of("shift"), 0) },
    {
      ...figure,
      name: "blocking time",
      measured: `${of("blocked_ms").toFixed(0)} ms`,
      goal: "<= 50 ms",
      verdict: atMost(of("blocked_ms"), 50),
    },
  ];
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
