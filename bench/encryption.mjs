import { scan } from "./documents.mjs";
import { atLeast, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { envelopeMaker } from "./s02-envelope.mjs";
import { growthOf } from "./s11-upload.mjs";
import { clock, openVaultOffice, PDF_DEADLINE_MS, pictures, READY_WITHIN_SECONDS, SCOPES, vaultOne } from "./s13-vault.mjs";
import { FILE_BYTES } from "./upload-bench.mjs";

const CREATE_ROUNDS = 15;
const VAULT_ROUNDS = 20;
const UPLOAD_ROUNDS = 5;
const ENVELOPES = 200;
const WARM_UP_VAULTINGS = 3;
// Of the rate of envelopes without encryption.
const RATE_GOAL = 0.95;
const PICTURE_PAGES = 10;
const PICTURE_BYTES = 100_000;

/** @typedef {Awaited<ReturnType<typeof startOne>>} Installation */
/** @typedef {Record<string, number>} Measured */

/**
 * ENCRYPTION: what S2, S11 and S13 cost with documents and entered values encrypted, compared with an installation that stores them as they
 * are, in turn in the same run.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureEncryption({ end }) {
  const plain = await startOne(end, "false");
  const encrypted = await startOne(end, "true");
  /** @param {number} rounds @param {(installation: Installation, round: number) => Promise<Measured>} measure */
  const inTurn = async (rounds, measure) => {
    /** @type {{ plain: Measured, encrypted: Measured }[]} */
    const pairs = [];
    for (let round = 0; round < rounds; round++) {
      // The one that goes first changes from round to round.
      const first = round % 2 === 0 ? plain : encrypted;
      const begun = await measure(first, round);
      const then = await measure(first === plain ? encrypted : plain, round);
      pairs.push(first === plain ? { plain: begun, encrypted: then } : { plain: then, encrypted: begun });
    }
    return pairs;
  };
  const created = await inTurn(CREATE_ROUNDS, createEnvelopes);
  const vaulted = await inTurn(VAULT_ROUNDS, ({ office, spent }, round) => vaultOne({ office, spent }, `round-${round}`));
  const uploaded = await inTurn(UPLOAD_ROUNDS, (installation) => upload(end, installation));
  return [
    rate(created),
    row("S2: CPU per envelope from a template", created, "service_ms", "ms", 2),
    row("S2: PostgreSQL's CPU per envelope", created, "database_ms", "ms", 2),
    row("S11: memory growth while 50 MB arrive", uploaded, "arriving_mb", "MB"),
    row("S11: memory growth while they are processed", uploaded, "taking_in_mb", "MB"),
    row("S11: CPU of the service for the upload", uploaded, "service_ms", "ms"),
    row("S13: completed to vaulted, 1 MB of pictures", vaulted, "total_ms", "ms"),
    row("S13: CPU of the service", vaulted, "service_ms", "ms"),
    row("S13: PostgreSQL's CPU", vaulted, "database_ms", "ms"),
  ];
}

/** @param {string} name @param {{ plain: Measured, encrypted: Measured }[]} pairs @param {string} part @param {string} unit @param {number} [digits] @returns {import("./figure.mjs").Figure} */
function row(name, pairs, part, unit, digits = 0) {
  const plain = pairs.map((pair) => pair.plain[part] ?? Number.NaN);
  const encrypted = pairs.map((pair) => pair.encrypted[part] ?? Number.NaN);
  const ratio = median(encrypted.map((value, round) => value / (plain[round] ?? Number.NaN)));
  return {
    id: "ENCRYPTION",
    name,
    // Memory that does not grow at all has no ratio.
    measured: `${median(plain).toFixed(digits)} -> ${median(encrypted).toFixed(digits)} ${unit}${unit === "MB" ? "" : ` (${ratio.toFixed(2)})`}`,
    goal: "",
    verdict: "info",
    values: { plain, encrypted },
  };
}

/** Envelopes in a second, with encryption compared with none. @param {{ plain: Measured, encrypted: Measured }[]} pairs @returns {import("./figure.mjs").Figure} */
function rate(pairs) {
  const ratio = median(pairs.map(({ plain, encrypted }) => (encrypted.per_second ?? Number.NaN) / (plain.per_second ?? Number.NaN)));
  return {
    ...row("S2: envelopes from a template in a second", pairs, "per_second", "/s", 1),
    goal: `>= ${RATE_GOAL} × without encryption`,
    verdict: atLeast(ratio, RATE_GOAL),
  };
}

/** @param {import("./harness.mjs").Cleanup} end @param {"true" | "false"} ENCRYPT_BLOBS */
async function startOne(end, ENCRYPT_BLOBS) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: SCOPES });
  const env = { ...database.env, PDF_DEADLINE_MS, ENCRYPT_BLOBS };
  const service = startService("start", { folder, port: await freePort(), env });
  end.later(() => service.stop());
  await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
  const key = keys[0] ?? "";
  const createMany = await envelopeMaker(service.url, key);
  await createMany(ENVELOPES);
  const office = await openVaultOffice(service.url, key, pictures(PICTURE_PAGES, PICTURE_BYTES));
  const spent = clock(service, database);
  const installation = { service, key, createMany, office, spent };
  for (let n = 0; n < WARM_UP_VAULTINGS; n++) await vaultOne(installation, `warm-up-${n}`);
  return installation;
}

/** @param {Installation} installation @returns {Promise<Measured>} */
async function createEnvelopes({ createMany, spent }) {
  spent();
  const began = performance.now();
  await createMany(ENVELOPES);
  const per_second = ENVELOPES / ((performance.now() - began) / 1000);
  const { service_ms, database_ms } = spent();
  return { per_second, service_ms: service_ms / ENVELOPES, database_ms: database_ms / ENVELOPES };
}

/** @param {import("./harness.mjs").Cleanup} end @param {Installation} installation @returns {Promise<Measured>} */
async function upload(end, { service, key, spent }) {
  spent();
  return { ...(await growthOf(end, service, { key, file: scan(FILE_BYTES) })), ...spent() };
}
