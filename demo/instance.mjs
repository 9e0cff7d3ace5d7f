// A new service in its own folder, for the duration of the demo.
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answersAt, freePort, product, startService } from "../bench/harness.mjs";

const STARTS_WITHIN_SECONDS = 90;
// The service responds a moment before it prints its address and the set-up link.
const SAYS_SO_WITHIN_MS = 30_000;
const RUNNING = "Countersign is running at";
const POLL_MS = 20;
const LOG_LINES = 12;

/** Not a bug of the demo. The message says what to do. */
export class CannotStart extends Error {
  /** @override */
  name = "CannotStart";
}

/** @param {import("../bench/harness.mjs").Cleanup} end @param {{ keep: boolean }} wanted @returns {Promise<string>} */
export async function makeFolder(end, { keep }) {
  const folder = await mkdtemp(join(tmpdir(), "countersign-demo-"));
  // As root, PostgreSQL runs under its own account, which must be able to access the folder.
  await chmod(folder, 0o711);
  await mkdir(join(folder, "documents"));
  end.later(async () => {
    const { lookUpRunning } = await product("db/embedded.js");
    await (await lookUpRunning(join(folder, "data")))?.stop();
    if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}

/**
 * @param {import("../bench/harness.mjs").Cleanup} end
 * @param {{ folder: string, database: boolean }} wanted database: the PostgreSQL of DATABASE_APP_URL and DATABASE_QUEUE_URL instead of an embedded one
 * @returns {Promise<{ url: string, setupToken: string, ended: Promise<unknown> }>}
 */
export async function startInstance(end, { folder, database }) {
  const port = await freePort();
  const log = join(folder, "service.log");
  const env = { LOG_LEVEL: "warn", ...(database && givenDatabase()) };
  const service = startService("start", { folder, port, env });
  end.later(() => service.stop());
  try {
    await answersAt(service, "/readyz", STARTS_WITHIN_SECONDS);
    // The address that it uses in links, which is the same as the one it listens on.
    return { url: `http://localhost:${port}`, setupToken: await setupToken(log), ended: service.ended };
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    throw new CannotStart(`the service did not start. The end of its log:\n${await lastLines(log)}`, { cause });
  }
}

function givenDatabase() {
  const { DATABASE_APP_URL, DATABASE_QUEUE_URL } = process.env;
  if (DATABASE_APP_URL && DATABASE_QUEUE_URL) return { DATABASE_APP_URL, DATABASE_QUEUE_URL };
  throw new CannotStart("--database needs DATABASE_APP_URL and DATABASE_QUEUE_URL in the environment");
}

/** From the link that a first start prints. @param {string} log */
async function setupToken(log) {
  for (const until = Date.now() + SAYS_SO_WITHIN_MS; Date.now() < until; await delay(POLL_MS)) {
    const said = await readFile(log, "utf8");
    const token = /#token=(\S+)/.exec(said)?.[1];
    if (token !== undefined) return token;
    if (said.includes(RUNNING)) break;
  }
  throw new CannotStart("the service prints no set-up link: its database is set up already. Give the demo an empty one.");
}

/** @param {string} log */
async function lastLines(log) {
  return (await readFile(log, "utf8")).trimEnd().split("\n").slice(-LOG_LINES).join("\n");
}
