import { chromium } from "@playwright/test";
import { startChromium } from "../web/browser/chromium.mjs";
import { logInSlowly } from "../web/browser/first-screen.mjs";
import { call } from "./ceremony.mjs";
import { contract } from "./documents.mjs";
import { atMost, median } from "./figure.mjs";
import { answersAt, cleanup, freePort, startService } from "./harness.mjs";
import { BATCH, ENVELOPES, manyEnvelopes } from "./many-envelopes.mjs";
import { openConsole } from "./open-console.mjs";

const GOAL_KEY_MS = 30;
const RECIPIENTS = 100;
const ROUNDS = 5;
const WORDS = "Alexandra Example of Springfield";
const SLOWED = 4;
// A fast typist. What one key causes is over before the next.
const BETWEEN_MS = 120;

const GOAL_FIRST_SCREEN_MS = 800;
const LOG_INS = 5;

/**
 * CONSOLE: what a person waits for in the console on a slow computer: a key in a large form, and the first screen after the log-in with a
 * million envelopes; with `--seconds N`, 50,000 for each second.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureConsole({ end, seconds, keep }) {
  const envelopes = seconds === null ? ENVELOPES : Math.min(ENVELOPES, Math.ceil(seconds) * BATCH);
  // Its service and browser are gone before the next measurement.
  const typingEnd = cleanup();
  end.later(() => typingEnd.run());
  const keys = await typeInLargeForm(typingEnd);
  await typingEnd.run();
  const { times, browser } = await firstScreens(end, keep, envelopes);
  const [key, screen] = [median(keys.rounds.map(median)), median(times)];
  return [
    {
      id: "CONSOLE",
      name: `a key in a form of ${RECIPIENTS} recipients, CPU × ${SLOWED}, until its letter is drawn`,
      measured: `${key.toFixed(0)} ms`,
      goal: `<= ${GOAL_KEY_MS} ms`,
      verdict: atMost(key, GOAL_KEY_MS),
      values: keys,
    },
    {
      id: "CONSOLE",
      name: `first screen after login, ${envelopes.toLocaleString("en")} envelopes, CPU × 4, 9 Mbps, 85 ms`,
      measured: `${screen.toFixed(0)} ms`,
      goal: `<= ${GOAL_FIRST_SCREEN_MS} ms`,
      verdict: atMost(screen, GOAL_FIRST_SCREEN_MS),
      values: { times, browser },
    },
  ];
}

/** Runs in the page: from each key to the frame that shows its letter. */
const WATCH_KEYS = `
window.keys = [];
addEventListener("keydown", ({ timeStamp }) => {
  requestAnimationFrame(() => {
    const drawn = new MessageChannel();
    drawn.port1.onmessage = () => keys.push(performance.now() - timeStamp);
    drawn.port2.postMessage(null);
  });
}, true)`;

/**
 * The step of the wizard with 100 recipients. A name is typed in the middle of the list: from a key until the browser has drawn its letter.
 * @param {import("./harness.mjs").Cleanup} end
 */
async function typeInLargeForm(end) {
  const { browser, page, url, api, headers } = await openConsole(end);
  const envelope_id = await createDraft(api, headers);
  await page.goto(`${url}/envelopes/${envelope_id}/prepare?step=people`);
  const name = page.getByRole("group", { name: `Recipient ${RECIPIENTS / 2}`, exact: true }).getByLabel("Name");
  await page.getByRole("button", { name: `Change Person ${RECIPIENTS / 2}`, exact: true }).click();
  await name.focus();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await page.evaluate(WATCH_KEYS);
  /** @type {number[][]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    await name.fill("");
    await page.evaluate("keys.length = 0");
    await name.pressSequentially(WORDS, { delay: BETWEEN_MS });
    rounds.push(/** @type {number[]} */ (await page.evaluate("keys")));
  }
  return { rounds, browser: browser.version() };
}

/** @param {string} url @param {Record<string, string>} headers @returns {Promise<string>} */
async function createDraft(url, headers) {
  const recipients = Array.from({ length: RECIPIENTS }, (_, n) => ({
    kind: "signer",
    name: `Person ${n + 1}`,
    email: `person${n + 1}@example.com`,
    role: `Signer ${n + 1}`,
  }));
  const body = { envelope_name: "Large", customer_name: "Ann Example", customer_email: "ann@example.com", recipients };
  const made = await call(url, "POST", "/partner/envelopes", headers, body);
  if (made.status >= 300) throw new Error(`creating an envelope returned ${made.status}: ${made.bytes}`);
  const { envelope_id } = made.json.data;
  const file = new FormData();
  file.set("file", new Blob([Uint8Array.from(contract(2, "simple"))], { type: "application/pdf" }), "large.pdf");
  const answer = await fetch(`${url}/api/v2/partner/envelopes/${envelope_id}/upload`, { method: "POST", headers, body: file });
  if (!answer.ok) throw new Error(`the upload returned ${answer.status}: ${await answer.text()}`);
  return envelope_id;
}

/**
 * From the click on *Log in* to the frame after Home shows its figures. Each time with an empty cache; the page of the log-in is loaded.
 * @param {import("./harness.mjs").Cleanup} end
 * @param {string | null} keep
 * @param {number} envelopes
 */
async function firstScreens(end, keep, envelopes) {
  const { folder, database, filled } = await manyEnvelopes(end, keep, envelopes);
  const service = startService("serve", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  const launched = await startChromium((options) => chromium.launch(options));
  if ("missing" in launched) throw new Error(launched.missing);
  const browser = launched.started;
  end.later(() => browser.close());
  const times = [];
  // The first visit warms up the service and does not count.
  for (let n = 0; n <= LOG_INS; n++) {
    const took = await logInSlowly(browser, `${service.url.replace("127.0.0.1", "localhost")}/console/`, filled);
    if (n > 0) times.push(took);
  }
  return { times, browser: browser.version() };
}
