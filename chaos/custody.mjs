// Races for authoritative copies, over HTTP: who starts a transfer, how it ends, or whether the copy is exported instead; and finally all
// of these while the service is killed. All the time, an observer checks that each copy has one custodian, or was exported and has none.
import { setTimeout as delay } from "node:timers/promises";
import { openCustodyChecker } from "./custody-checker.mjs";
import { deposit, setUp } from "./custody-stage.mjs";
import { countOf, inTurns, verdictTable } from "./runner.mjs";

// More than the service has database connections, so that some requests wait for a connection and others for a lock.
const AT_ONCE = 48;
const DEPOSITS_AT_ONCE = 4;
// Packing a copy takes a quarter of a second of CPU time. Enough requests for a race, for as many copies as two cores can handle.
const PACKERS = 2;
const PACKED_AT_ONCE = 4;
// Transfers start at random times, until packing is certainly done.
const AS_LONG_AS_PACKING = PACKERS * PACKED_AT_ONCE;
const ENDINGS = 10;
const ACTS_PER_COPY = 20;
const ACTING_AT_ONCE = 16;
const KILL_AFTER_MS = [1_000, 5_000];
const POLL_MS = 250;
const BUSY = 503;
const BUSY_MS = 1_000;
// An acknowledgement takes longer, so it would otherwise always lose.
const HEAD_START_MS = 500;
const EXPIRES_WITHIN = "interval '2 seconds'";

/** @typedef {import("./custody-stage.mjs").Answer} Answer */
/** @typedef {import("./custody-stage.mjs").Send} Send */
/** @typedef {import("./custody-stage.mjs").Copy} Copy */
/**
 * @typedef {object} Outcome
 * @property {number} copies @property {number} racers
 * @property {Record<string, Record<string, number>>} answers by race and status
 * @property {number} kills @property {number} looks
 * @property {number} exported @property {number} opened packages that were fetched, opened with their key and verified
 * @property {number} transfers on record @property {number} events
 * @property {string[]} found every violation
 */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, copies: number, racers: number, kills: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackCustody({ end, folder, random, history, copies: count, racers, kills }) {
  const stage = await setUp(end, folder);
  const copies = await inTurns(Array.from({ length: count }), DEPOSITS_AT_ONCE, () => deposit(stage.giver, stage));
  /** @type {Outcome} */
  const outcome = {
    copies: count,
    racers,
    answers: {},
    kills: 0,
    looks: 0,
    exported: 0,
    opened: 0,
    transfers: 0,
    events: 0,
    found: [],
  };
  const ring = openRing({ stage, copies, random, history, outcome });
  const watching = watch(stage.giver, copies, outcome);
  end.later(watching.stop);
  const pending = await raceToBegin(ring);
  await raceToEnd(ring, pending);
  await raceToLeave(ring, await raceToPack(ring));
  await actUnderKills(ring, kills);
  await stage.ready();
  await watching.stop();
  const checker = await openCustodyChecker({
    giver: stage.giver,
    taker: stage.taker,
    url: stage.url,
    secret: stage.secret,
    receiver: stage.receiver,
  });
  outcome.found.push(...(await inTurns(copies, DEPOSITS_AT_ONCE, checker.check)).flat());
  const { events, faults } = await checker.checkEvents();
  outcome.found.push(...faults);
  return { ...outcome, ...checker.seen(), events };
}

/** @typedef {ReturnType<typeof openRing>} Ring what the races share: the copies, the acts, and who keeps count */

/** @param {{ stage: import("./custody-stage.mjs").Stage, copies: Copy[], random: import("./random.mjs").Random, history: import("./history.mjs").History, outcome: Outcome }} parts */
function openRing({ stage, copies, random, history, outcome }) {
  const { giver, taker, people } = stage;
  const pick = (/** @type {readonly any[]} */ list) => list[Math.floor(random.next() * list.length)];
  return {
    stage,
    copies,
    random,
    history,
    outcome,
    pick,
    begin: (/** @type {Copy} */ { envelope_id }, by = giver) =>
      by("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { to_user_id: pick(people) }),
    end: (/** @type {string} */ permission_id, /** @type {string} */ act, by = taker) =>
      by("POST", `/partner/custody-transfers/${permission_id}/${act}`, {}),
    pack: (/** @type {Copy} */ { envelope_id }) => giver("POST", `/partner/envelopes/${envelope_id}/vault-out`, LEAVING),
    leave: (/** @type {{ export_id: string, package_sha256: string }} */ { export_id, package_sha256 }, /** @type {string} */ act) =>
      taker("POST", `/partner/vault-exports/${export_id}/${act}`, act === "cancel" ? {} : { package_sha256 }),

    /** Counts the response. If the service is too busy, asks again, as a partner's program would. @param {string} race @param {() => Promise<Answer>} ask */
    async counted(race, ask) {
      for (;;) {
        const answer = await ask();
        const { status, bytes } = answer;
        const before = outcome.answers[race] ?? {};
        outcome.answers[race] = { ...before, [status]: (before[status] ?? 0) + 1 };
        if (status !== BUSY) {
          if (status >= 500) outcome.found.push(`answer: ${race} got ${status} ${bytes}`);
          return answer;
        }
        await delay(BUSY_MS);
      }
    },

    /** @param {string} what @param {Copy} copy @param {number} winners */
    check(what, { envelope_id }, winners, wanted = 1) {
      if (winners !== wanted) outcome.found.push(`winner: ${winners} × ${what} instead of ${wanted}, ${envelope_id}`);
    },

    /** @param {string} what */
    progress(what) {
      process.stderr.write(`${what}: ${outcome.looks} looks, ${outcome.found.length} violations\n`);
      return history.append({ kind: "check", what, answers: outcome.answers, found: outcome.found });
    },
  };
}

/** @typedef {{ copy: Copy, permission_id: string, other: Send }} Begun other: the credential that did not begin it */

/** Many requests from two credentials start a transfer of each copy. One succeeds. @param {Ring} ring @returns {Promise<Begun[]>} */
async function raceToBegin(ring) {
  const { giver, taker } = ring.stage;
  const racing = ring.copies.flatMap((copy) =>
    Array.from({ length: ring.outcome.racers }, (_, n) => ({ copy, by: n % 2 === 0 ? giver : taker })),
  );
  const answers = await inTurns(racing, AT_ONCE, async ({ copy, by }) => ({
    copy,
    by,
    ...(await ring.counted("begin a transfer", () => ring.begin(copy, by))),
  }));
  const begun = ring.copies.map((copy) => {
    const won = answers.filter((each) => each.copy === copy && each.status === 201);
    ring.check("transfer begun", copy, won.length);
    return { copy, permission_id: won[0]?.json.data.permission_id, other: won[0]?.by === giver ? taker : giver };
  });
  await ring.progress("transfers begun");
  return begun;
}

/** Many requests accept, reject and cancel each transfer, and half of the transfers expire in the meantime. Each ends once. @param {Ring} ring @param {Begun[]} begun */
async function raceToEnd(ring, begun) {
  const short = begun.slice(0, begun.length / 2).map(({ permission_id }) => permission_id);
  await ring.stage.database.query(
    `update custodian_permissions set expires_at = clock_timestamp() + random() * ${EXPIRES_WITHIN} where permission_id = any($1)`,
    [short],
  );
  const racing = begun.flatMap((each) =>
    Array.from({ length: ring.outcome.racers }, () => ({ ...each, act: ring.pick(["accept", "reject", "cancel"]) })),
  );
  const answers = await inTurns(racing, AT_ONCE, async ({ permission_id, act, other }) => ({
    permission_id,
    ...(await ring.counted("end a transfer", () => ring.end(permission_id, act, other))),
  }));
  for (const { copy, permission_id } of begun) {
    const won = answers.filter((each) => each.permission_id === permission_id && each.status === 200);
    const { status } = (await ring.stage.giver("GET", `/partner/custody-transfers/${permission_id}`)).json.data;
    ring.check(`transfer ended (${status})`, copy, won.length, status === "expired" ? 0 : 1);
    const isOther = status === "pending" || won.some(({ json }) => json.data.status !== status);
    if (isOther) ring.outcome.found.push(`winner: ${permission_id} is ${status}`);
  }
  await ring.progress("transfers ended");
}

/** Some requests pack a copy while many others start a transfer of it. Only one kind succeeds. @param {Ring} ring */
async function raceToPack(ring) {
  const packing_ms = await timeToPack(ring);
  const raced = await inTurns(ring.copies, PACKED_AT_ONCE, async (copy) => {
    const late_ms = ring.random.between(0, AS_LONG_AS_PACKING * packing_ms);
    const packing = Array.from({ length: PACKERS }, () => ring.counted("pack a copy", () => ring.pack(copy)));
    await delay(late_ms);
    const racing = Array.from({ length: ring.outcome.racers - PACKERS });
    const moving = await inTurns(racing, AT_ONCE / PACKED_AT_ONCE, () => ring.counted("begin while it is packed", () => ring.begin(copy)));
    const moved = moving.filter(({ status }) => status === 201);
    const packed = (await Promise.all(packing)).filter(({ status }) => status === 201);
    ring.check(`packed (${packed.length}) or transferred (${moved.length})`, copy, packed.length + moved.length);
    return { copy, packed: packed[0]?.json.data, moved: moved[0]?.json.data };
  });
  await ring.progress("packed or transferred");
  return raced;
}

/** Packs a copy without competition, then cancels it. @param {Ring} ring */
async function timeToPack(ring) {
  const began = performance.now();
  const { status, json, bytes } = await ring.pack(/** @type {Copy} */ (ring.copies[0]));
  const packing_ms = performance.now() - began;
  if (status !== 201) throw new Error(`packing got ${status}: ${bytes}`);
  await ring.leave(json.data, "cancel");
  return packing_ms;
}

/** Acknowledged or cancelled: the copy was exported with its key, or stayed. And transfers that end while a copy is being packed. @param {Ring} ring @param {Awaited<ReturnType<typeof raceToPack>>} raced */
async function raceToLeave(ring, raced) {
  await inTurns(raced, PACKED_AT_ONCE, async ({ copy, packed, moved }) => {
    if (packed !== undefined) await leaveOrStay(ring, copy, packed);
    if (moved === undefined) return;
    const ends = ["accept", "cancel"].map((act) =>
      ring.counted("end a transfer while it is packed", () => ring.end(moved.permission_id, act)),
    );
    await ring.counted("pack a copy", () => ring.pack(copy));
    ring.check("transfer ended", copy, (await Promise.all(ends)).filter(({ status }) => status === 200).length);
  });
  await ring.progress("left or stayed");
}

/** All acknowledgements get the same response. @param {Ring} ring @param {Copy} copy @param {{ export_id: string, package_sha256: string }} packed */
async function leaveOrStay(ring, copy, packed) {
  const after_ms = { acknowledge: 0, cancel: ring.random.between(0, HEAD_START_MS) };
  const acts = /** @type {const} */ (["acknowledge", "cancel"]).flatMap((act) => Array.from({ length: ENDINGS }, () => act));
  const answers = await inTurns(acts, acts.length, async (act) => {
    await delay(after_ms[act]);
    return { act, ...(await ring.counted(`${act} an export`, () => ring.leave(packed, act))) };
  });
  const won = answers.filter(({ status }) => status === 200);
  const keys = new Set(won.filter(({ act }) => act === "acknowledge").map(({ json }) => json.data.key));
  ring.check("export ended", copy, keys.size + won.filter(({ act }) => act === "cancel").length);
}

/** Random actions at random times, while the service is killed again and again. @param {Ring} ring @param {number} kills */
async function actUnderKills(ring, kills) {
  const { copies, random, stage } = ring;
  /** @type {((copy: Copy) => Promise<Answer>)[]} */
  const acts = [
    (copy) => ring.begin(copy),
    (copy) => withPending(stage.giver, copy, (id) => ring.end(id, "accept")),
    (copy) => withPending(stage.giver, copy, (id) => ring.end(id, "cancel")),
    (copy) => ring.pack(copy),
    (copy) => withExport(stage.giver, copy, (one) => ring.leave(one, "cancel")),
    (copy) => withExport(stage.giver, copy, (one) => ring.leave(one, "acknowledge")),
  ];
  const wanted = copies.flatMap((copy) => Array.from({ length: ACTS_PER_COPY }, () => ({ copy, act: ring.pick(acts) })));
  let isOver = false;
  const acting = inTurns(random.sample(wanted, wanted.length), ACTING_AT_ONCE, async ({ copy, act }) => {
    const { status } = await ring.counted("any act, under kills", () => act(copy));
    // The service is down. A client that keeps asking would use up its actions before the service is back.
    if (status === 0) await stage.ready();
  }).finally(() => {
    isOver = true;
  });
  await Promise.all([acting, killAgain(ring, kills, () => isOver)]);
  await ring.progress("any act, under kills");
}

const LEAVING = { recipient: { name: "Second Example Bank", email: "vault@example.com" }, reason: "Sold" };

/** Reads every record at one moment: it has one custodian, or was exported and has none. @param {Send} send @param {readonly Copy[]} copies @param {Outcome} outcome */
function watch(send, copies, outcome) {
  let isOver = false;
  const look = async () => {
    for (let n = 0; !isOver; n++) {
      const { envelope_id } = /** @type {Copy} */ (copies[n % copies.length]);
      const { status, json } = await send("GET", `/partner/envelopes/${envelope_id}/vault`);
      if (status !== 200) {
        await delay(POLL_MS);
        continue;
      }
      outcome.looks++;
      const { state, custodian } = json.data;
      const isWhole = (state === "exported") === (custodian === null) && ["active", "escrowed", "exported"].includes(state);
      if (!isWhole) outcome.found.push(`custodian: ${envelope_id} is ${state} with the custodian ${JSON.stringify(custodian)}`);
    }
  };
  const looking = look();
  return {
    stop: () => {
      isOver = true;
      return looking;
    },
  };
}

/** @param {Send} send @param {Copy} copy @param {(permission_id: string) => Promise<Answer>} act */
async function withPending(send, { envelope_id }, act) {
  const listed = await send("GET", `/partner/custody-transfers?envelope_id=${envelope_id}&status=pending`);
  const found = listed.json?.data[0];
  return found === undefined ? listed : act(found.permission_id);
}

/** @param {Send} send @param {Copy} copy @param {(one: { export_id: string, package_sha256: string }) => Promise<Answer>} act */
async function withExport(send, { envelope_id }, act) {
  const listed = await send("GET", `/partner/vault-exports?envelope_id=${envelope_id}&status=escrowed`);
  const found = listed.json?.data[0];
  return found === undefined ? listed : act(found);
}

/** @param {Ring} ring @param {number} kills @param {() => boolean} isOver */
async function killAgain({ stage, random, outcome, history }, kills, isOver) {
  const [from = 0, to = 0] = KILL_AFTER_MS;
  while (outcome.kills < kills) {
    await stage.ready();
    await delay(random.between(from, to));
    if (isOver()) return;
    if (!(await stage.kill())) outcome.found.push("end: the service ended unexpectedly");
    outcome.kills++;
    await history.append({ kind: "kill", target: "service" });
  }
}

/** @param {Outcome} outcome */
export function custodyTable({ copies, racers, answers, kills, looks, exported, opened, transfers, events, found }) {
  const counts = (/** @type {Record<string, number>} */ by) =>
    Object.entries(by)
      .map(([status, n]) => `${n} × ${status === "0" ? "no answer" : status}`)
      .join(", ");
  return verdictTable(
    [
      ["copies, racers for each", `${copies}, ${racers}`],
      ...Object.entries(answers).map(([race, by]) => /** @type {[string, string]} */ ([`  ${race}`, counts(by)])),
      ["kills of the service", String(kills)],
      ["reads of a record", String(looks)],
      ["transfers on record, events received", `${transfers}, ${events}`],
      ["copies exported, packages opened and verified", `${exported}, ${opened}`],
      ["races without exactly one winner", countOf(found, "winner")],
      ["moments without exactly one custodian or an export", countOf(found, "custodian")],
      ["inconsistent records", countOf(found, "record")],
      ["evidence that does not verify", countOf(found, "evidence")],
      ["missing or extra events", countOf(found, "event")],
      ["unexpected responses", countOf(found, "answer")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
