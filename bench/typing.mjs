import { call } from "./ceremony.mjs";
import { contract } from "./documents.mjs";
import { atMost, median } from "./figure.mjs";
import { openConsole } from "./open-console.mjs";

const RECIPIENTS = 100;
const ROUNDS = 5;
const WORDS = "Alexandra Example of Springfield";
const SLOWED = 4;
// A fast typist. What one key causes is over before the next.
const BETWEEN_MS = 120;
const GOAL_MS = 30;

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
 * TYPING: the step of the wizard with 100 recipients, on a processor slowed down four times. A name is typed in the middle of the list:
 * from a key until the browser has drawn its letter.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureTyping({ end }) {
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
  const ms = median(rounds.map((keys) => median(keys)));
  return [
    {
      id: "TYPING",
      name: `a key in a form of ${RECIPIENTS} recipients, CPU × ${SLOWED}, until its letter is drawn`,
      measured: `${ms.toFixed(0)} ms`,
      goal: `<= ${GOAL_MS} ms`,
      verdict: atMost(ms, GOAL_MS),
      values: { rounds, browser: browser.version() },
    },
  ];
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
  file.set("file", new Blob([contract(2, "simple")], { type: "application/pdf" }), "large.pdf");
  const answer = await fetch(`${url}/api/v2/partner/envelopes/${envelope_id}/upload`, { method: "POST", headers, body: file });
  if (!answer.ok) throw new Error(`the upload returned ${answer.status}: ${await answer.text()}`);
  return envelope_id;
}
