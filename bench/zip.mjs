import { openOffice, sendEnvelope, twoSigners } from "./ceremony.mjs";
import { atMost, median } from "./figure.mjs";
import { percentile } from "./lists.mjs";
import { uploadBench } from "./upload-bench.mjs";

// As many as one request may name.
const ENVELOPES = 200;
const AT_ONCE = 8;
const WARM_UP = 2;
const ROUNDS = 20;
const GOAL_MS = 500;

/**
 * ZIP: the documents of 200 envelopes that wait for their signers, as one ZIP file: from the request to its first bytes, and to its end.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureZip({ end }) {
  const { service, keys } = await uploadBench(end, { keys: 1 });
  const key = keys[0] ?? "";
  const office = await openOffice(service.url, key);
  /** @type {string[]} */
  const envelope_ids = [];
  let left = ENVELOPES;
  const some = async () => {
    while (left-- > 0) envelope_ids.push(await sendEnvelope(office, { signers: twoSigners(String(left)) }));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  /** @type {{ first_ms: number, whole_ms: number, bytes: number }[]} */
  const rounds = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const taken = await takeZip(service.url, key, envelope_ids);
    if (round >= WARM_UP) rounds.push(taken);
  }
  const first = percentile(
    rounds.map(({ first_ms }) => first_ms),
    0.95,
  );
  const whole = median(rounds.map(({ whole_ms }) => whole_ms));
  const megabytes = (rounds[0]?.bytes ?? 0) / 1e6;
  return [
    {
      id: "ZIP",
      name: `documents of ${ENVELOPES} envelopes as a ZIP file, first byte`,
      measured: `${first.toFixed(0)} ms`,
      goal: `p95 <= ${GOAL_MS} ms`,
      verdict: atMost(first, GOAL_MS),
      values: { rounds },
    },
    { id: "ZIP", name: `all of it, ${megabytes.toFixed(1)} MB`, measured: `${whole.toFixed(0)} ms`, goal: "", verdict: "info" },
  ];
}

/** @param {string} url @param {string} key @param {readonly string[]} envelope_ids */
async function takeZip(url, key, envelope_ids) {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const began = performance.now();
  const body = JSON.stringify({ envelope_ids });
  const answer = await fetch(`${url}/api/v2/partner/envelopes/documents.zip`, { method: "POST", headers, body });
  if (!answer.ok || answer.body === null) throw new Error(`the ZIP file returned ${answer.status}: ${await answer.text()}`);
  let first_ms = Number.NaN;
  let bytes = 0;
  for await (const piece of answer.body) {
    if (bytes === 0) first_ms = performance.now() - began;
    bytes += piece.byteLength;
  }
  return { first_ms, whole_ms: performance.now() - began, bytes };
}
