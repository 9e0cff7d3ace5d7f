// The secret is replaced twice while stored documents are encrypted and people sign. At each step of a rotation the service is killed, also
// while it starts; values (a thousand messages that wait, keys of the installation and of its organizations) and documents are encrypted by processes next to it that die, and so does the process that retires the version
// before. Then the keys of organizations move from the secret to a key service, and from that to another, by pairs of processes of which each dies
// one statement later than the last. After each death every value, every document and every key must be readable by a process that remembers
// nothing.
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openOffice, SENDING_SCOPES, sendEnvelope, startSigning, twoSigners } from "../bench/ceremony.mjs";
import { answersAt, fillDatabase, freePort, product, startDatabase, startService } from "../bench/harness.mjs";
import { check as checkBlobs, encryptOnce, fill, findPlain, opener } from "./encrypt.mjs";
import { checkReadable, envOf, fillMail, newVersion } from "./rotate.mjs";
import { countOf, inTurns, runToItsEnd, verdictTable } from "./runner.mjs";

const READY_WITHIN_SECONDS = 180;
// Ten thousand documents take more than ten minutes on a busy machine.
const DIES_WITHIN_MS = 1_800_000;
// The first while the documents are encrypted, the second with the keys of organizations in use for all of them.
const ROTATIONS = 2;
const WAITING_ENVELOPES = 8;
const SIGN_AT_ONCE = 2;
const READ_AT_ONCE = 8;
const MOST_STATEMENTS = 400;
const MOST_MS = 1_500;
// Longer than a start takes until its secrets are recorded.
const MOST_START_MS = 1_500;
// Beside the one with the documents. A key takes some five statements, so that each of them is a place to die.
const OTHER_ORGS = 12;
const KEY_SERVICES = 2;
// A service that runs and does not answer is a violation.
const MOST_TRIES = 10;

/** @typedef {import("./rotate.mjs").Version} Version */
/**
 * @typedef {{ rotations: number, kills: number, serviceKills: number, finished: number, values: number, keys: number, moved: number, blobs: number, left: number, checked: number,
 *   signed: number, cut: number, found: string[] }} Outcome
 */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, blobs: number, kills: number, deadline: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackSecrets({ end, folder, random, history, blobs, kills, deadline }) {
  await mkdir(folder, { recursive: true });
  const database = await startDatabase(end, folder);
  const { org_id, keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: SENDING_SCOPES });
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: READ_AT_ONCE });
  end.later(() => db.end());
  /** @type {Outcome} */
  const outcome = {
    rotations: 0,
    kills: 0,
    serviceKills: 0,
    finished: 0,
    values: 0,
    keys: 0,
    moved: 0,
    blobs: 0,
    left: 0,
    checked: 0,
    signed: 0,
    cut: 0,
    found: [],
  };
  let kms = "local";
  const service = serviceOf({ end, folder, database, random, outcome, kms: () => kms, port: await freePort() });

  // As the release before left it: envelopes that wait for signatures, and many documents, all readable in the folder.
  let present = newVersion(1);
  const office = await openOffice(await service.startWith([present], "false"), keys[0] ?? "");
  const waiting = await inTurns([...Array(WAITING_ENVELOPES).keys()], 2, async (n) => {
    const signers = twoSigners(`before-${n}`);
    return { envelope_id: await sendEnvelope(office, { signers }), signers };
  });
  const env = (/** @type {Version[]} */ versions) => ({ ...envOf(database, versions), KMS: kms });
  const fresh = (/** @type {Version[]} */ versions) => opener(folder, env(versions), db)("true");
  await fill(await opener(folder, env([present]), db)("false"), db, org_id, blobs);
  await fillMail(database, present);
  await service.startWith([present]);

  /** @param {Version[]} versions @param {string} when */
  const check = async (versions, when) => {
    outcome.values = await checkReadable(db, versions, outcome, when);
    await checkBlobs(await fresh(versions), database, org_id, outcome, when);
    await history.append({ kind: "check", when, left: outcome.left, violations: outcome.found.length });
    process.stderr.write(`${when}: ${outcome.left} of ${outcome.blobs} documents left, ${outcome.found.length} violations\n`);
  };
  /** @param {string} program @param {string[]} args @param {Version[]} versions */
  const run = (program, args, versions) =>
    runToItsEnd({ program, args, folder, env: env(versions), within_ms: DIES_WITHIN_MS, later: end.later });
  /** @param {Awaited<ReturnType<typeof run>>} ended */
  const note = (ended) => {
    if (ended.diedByItself) outcome.kills += 1;
    else if (ended.code === 0) outcome.finished += 1;
    else outcome.found.push(`end: ${ended.why}`);
    for (const { sha256 } of Array.isArray(ended.said?.unreadable) ? ended.said.unreadable : [])
      outcome.found.push(`unreadable: ${sha256} for the job`);
    return ended;
  };

  for (let rotation = 1; rotation <= ROTATIONS && performance.now() < deadline; rotation++) {
    const next = newVersion(rotation + 1);
    const both = [next, present];
    let isOver = false;
    const signing = signAll({ office, waiting, service, isOver: () => isOver, outcome, name: `round-${rotation}` });
    await service.killAndStartWith([present, next]);
    await check([present, next], `rotation ${rotation}, the new version is known`);
    await service.killAndStartWith(both);
    await check(both, `rotation ${rotation}, the new version is in use`);
    for (let kill = 1; kill <= Math.ceil(kills / ROTATIONS / 2) && performance.now() < deadline; kill++) {
      const [statements, ms] = kill % 2 === 0 ? [pointOf(random), 0] : [0, random.between(1, MOST_MS)];
      const ended = await Promise.all([
        run("rotate-once.mjs", [String(pointOf(random))], both),
        encryptOnce(folder, env(both), end, statements, ms),
      ]);
      ended.forEach(note);
      await check(both, `rotation ${rotation}, kill ${kill}`);
    }
    for (const ended of await Promise.all([run("rotate-once.mjs", ["0"], both), encryptOnce(folder, env(both), end, 0, 0)])) note(ended);
    // What was signed under the earlier version stops working when it is retired at once, so no signer is in the middle then. What the
    // service wrote under it until its last restart was encrypted again by then.
    isOver = true;
    await signing;
    await check([next], `rotation ${rotation}, without the earlier version`);
    for (let statements = 1; ; statements++) {
      const ended = note(await run("retire-once.mjs", [String(statements), String(present.version)], both));
      if (!ended.diedByItself) break;
      if (await isRetired(database, present)) break;
    }
    if (!(await isRetired(database, present))) outcome.found.push(`retire: version ${present.version} is not retired`);
    await service.killAndStartWith([next]);
    await check([next], `rotation ${rotation}, the earlier version is retired`);
    present = next;
    outcome.rotations = rotation;
  }
  const known = await fillOrgKeys(database, db, env([present]));
  outcome.keys = known.size;
  for (let move = 1; move <= KEY_SERVICES && performance.now() < deadline; move++) {
    let isOver = false;
    const signing = signAll({ office, waiting: [], service, isOver: () => isOver, outcome, name: `move-${move}` });
    const file = join(folder, `key-service-${move}`);
    await writeFile(file, randomBytes(32).toString("hex"));
    kms = `file:${file},${kms}`;
    await service.killAndStartWith([present]);
    // The first pair that comes to its end has left nothing to do.
    for (let statements = 1; ; statements++) {
      const args = [statements, statements + 2].map((count) => run("org-keys-once.mjs", [String(count)], [present]));
      const ended = (await Promise.all(args)).map(note);
      await checkOrgKeys(db, env([present]), known, outcome, `move ${move}, killed after ${statements} statements`);
      if (ended.every(({ diedByItself }) => !diedByItself)) break;
    }
    outcome.moved += await movedKeys(database, env([present]), outcome, `move ${move}`);
    isOver = true;
    await signing;
    await check([present], `move ${move}, the keys of organizations are in another service`);
  }
  const last = { office, waiting: [], service, isOver: () => true, outcome, name: "last" };
  await signAll({ ...last, waiting: [{ envelope_id: null, signers: twoSigners("last") }] });
  if (outcome.left > 0) outcome.found.push(`plain: ${outcome.left} documents are not encrypted in the end`);
  await findPlain(join(folder, "data", "blobs"), outcome);
  return outcome;
}

const pointOf = (/** @type {import("./random.mjs").Random} */ random) => 1 + Math.floor(random.next() ** 2 * MOST_STATEMENTS);

/** @param {Record<string, string>} env @returns {Promise<any>} */
async function keyServices(env) {
  const { readConfig } = await product("config.js");
  const { deriveKeys } = await product("shared/secrets.js");
  const { buildKms } = await product("secrets/build-kms.js");
  const config = readConfig(env);
  return buildKms(config.kms, deriveKeys(config.appSecrets));
}

/** Keys of further organizations. Returns the key of each organization, as it is used. @param {import("../bench/harness.mjs").Database} database @param {any} db @param {Record<string, string>} env */
async function fillOrgKeys(database, db, env) {
  const { newId } = await product("shared/ids.js");
  const { orgKeys } = await product("secrets/org-keys.js");
  const others = Array.from({ length: OTHER_ORGS }, () => newId("org"));
  await database.query("insert into orgs (org_id, name) select id, 'Other' from unnest($1::text[]) as made(id)", [others]);
  const keys = orgKeys({ db, kms: await keyServices(env) });
  for (const org_id of others) await keys.current(org_id);
  /** @type {Map<string, string>} */
  const known = new Map();
  for (const { org_id, key_no } of await database.query("select org_id, key_no from org_keys"))
    known.set(`${org_id} ${key_no}`, (await keys.find(org_id, key_no)).key.toString("hex"));
  return known;
}

/** Every key is there and is what it was. @param {any} db @param {Record<string, string>} env @param {Map<string, string>} known @param {Outcome} outcome @param {string} when */
async function checkOrgKeys(db, env, known, outcome, when) {
  const { orgKeys } = await product("secrets/org-keys.js");
  const keys = orgKeys({ db, kms: await keyServices(env) });
  for (const [name, before] of known) {
    const [org_id, key_no] = name.split(" ");
    try {
      const { key } = await keys.find(org_id, Number(key_no));
      if (key.toString("hex") !== before) throw new Error("another key");
      outcome.checked += 1;
    } catch (error) {
      outcome.found.push(`unreadable: the key of ${name}, ${when}: ${error}`);
    }
  }
}

/** How many keys the service that is named first has wrapped. @param {import("../bench/harness.mjs").Database} database @param {Record<string, string>} env @param {Outcome} outcome @param {string} when */
async function movedKeys(database, env, outcome, when) {
  const { current } = await keyServices(env);
  const [{ moved, others }] = await database.query(
    "select count(*) filter (where kek_id = $1)::int as moved, count(*) filter (where kek_id <> $1)::int as others from org_keys",
    [current.id],
  );
  if (others > 0) outcome.found.push(`plain: ${others} keys of organizations are with an earlier key service, ${when}`);
  return moved;
}

/** @param {import("../bench/harness.mjs").Database} database @param {Version} version */
async function isRetired(database, { version }) {
  const rows = await database.query("select from secret_versions where version = $1 and retired_at is not null", [version]);
  return rows.length === 1;
}

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, database: import("../bench/harness.mjs").Database,
 *   random: import("./random.mjs").Random, outcome: Outcome, kms: () => string, port: number }} at
 */
function serviceOf({ end, folder, database, random, outcome, kms, port }) {
  /** @type {import("../bench/harness.mjs").Program | null} */
  let running = null;
  end.later(() => running?.stop("SIGKILL"));
  let isUp = Promise.resolve();
  const begin = (/** @type {Version[]} */ versions, ENCRYPT_BLOBS = "true") => {
    // The same address for each start, because tokens name it.
    running = startService("serve", { folder, port, env: { ...envOf(database, versions), KMS: kms(), ENCRYPT_BLOBS } });
    return running;
  };
  const startWith = async (/** @type {Version[]} */ versions, ENCRYPT_BLOBS = "true") => {
    await running?.stop();
    const started = begin(versions, ENCRYPT_BLOBS);
    await answersAt(started, "/readyz", READY_WITHIN_SECONDS);
    return started.url;
  };
  const restart = async (/** @type {Version[]} */ versions) => {
    await running?.stop("SIGKILL");
    const started = begin(versions);
    await delay(random.between(0, MOST_START_MS));
    await started.stop("SIGKILL");
    outcome.serviceKills += 2;
    await answersAt(begin(versions), "/readyz", READY_WITHIN_SECONDS);
  };
  return {
    startWith,
    /** Resolves when the service can be asked again. */
    up: () => isUp,
    /** In the middle of what people do, and again in the middle of the start. @param {Version[]} versions */
    killAndStartWith(versions) {
      isUp = restart(versions);
      return isUp;
    },
  };
}

/**
 * @param {{ office: import("../bench/ceremony.mjs").Office, waiting: { envelope_id: string | null, signers: readonly import("../bench/ceremony.mjs").Signer[] }[],
 *   service: ReturnType<typeof serviceOf>, isOver: () => boolean, outcome: Outcome, name: string }} run
 */
async function signAll({ office, waiting, service, isOver, outcome, name }) {
  let made = 0;
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined || !isOver(); next = waiting.shift()) {
      const { envelope_id, signers } = next ?? { envelope_id: null, signers: twoSigners(`${name}-${made++}`) };
      try {
        // A draft that a kill has cut is left, and another one is sent.
        const id = envelope_id ?? (await again(service, outcome, () => sendEnvelope(office, { signers })));
        for (const signer of signers) await signOnce(office, service, outcome, id, signer);
        outcome.signed += 1;
      } catch (error) {
        outcome.found.push(`refused: ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: SIGN_AT_ONCE }, lane));
}

/** @param {import("../bench/ceremony.mjs").Office} office @param {ReturnType<typeof serviceOf>} service @param {Outcome} outcome @param {string} envelope_id @param {import("../bench/ceremony.mjs").Signer} signer */
async function signOnce(office, service, outcome, envelope_id, signer) {
  const signing = await again(service, outcome, () => startSigning(office, envelope_id, signer));
  const completion = await again(service, outcome, () => signing.makeReady());
  // With its Idempotency-Key, so that a signature whose answer was lost is not made twice.
  const { status, bytes } = await again(service, outcome, () => signing.press(completion));
  if (status !== 200) throw new Error(`a signature returned ${status}: ${bytes.toString("utf8", 0, 300)}`);
}

/**
 * Repeats what a kill has cut. An answer that is not the expected one is an error of its own, and is not repeated.
 * @template T @param {ReturnType<typeof serviceOf>} service @param {Outcome} outcome @param {() => Promise<T>} act @returns {Promise<T>}
 */
async function again(service, outcome, act) {
  for (let tries = 1; ; tries++) {
    await service.up();
    try {
      return await act();
    } catch (error) {
      if (/ returned \d/.test(String(error)) || tries === MOST_TRIES) throw error;
      outcome.cut += 1;
    }
  }
}

/** @param {Outcome} outcome */
export function secretsTable({ rotations, kills, serviceKills, finished, values, keys, moved, blobs, left, checked, signed, cut, found }) {
  return verdictTable(
    [
      ["secrets replaced", String(rotations)],
      ["processes killed", String(kills)],
      ["the service killed", String(serviceKills)],
      ["processes that came to their end", String(finished)],
      ["values, keys of organizations and documents, and how often one was read", `${values}, ${keys}, ${blobs}, ${checked}`],
      ["keys of organizations moved to another key service", String(moved)],
      ["documents that are not encrypted", String(left)],
      ["envelopes signed meanwhile, calls that a kill cut", `${signed}, ${cut}`],
      ["unreadable values, keys and documents", countOf(found, "unreadable")],
      ["missing documents", countOf(found, "lost")],
      ["documents that stayed readable in the folder, keys that stayed where they were", countOf(found, "plain")],
      ["refused requests", countOf(found, "refused")],
      ["versions that could not be retired", countOf(found, "retire")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
