// npm run demo [-- --exit] [--keep] [--url ADDRESS]: the whole process on a fresh instance, from set-up to evidence that verifies offline. On a
// terminal the service keeps running until Ctrl-C.
//   --exit      exit after the last step (the default if standard output is not a terminal)
//   --keep      keep the folder with the data and the documents
//   --url       use a service that is already running on this machine, with a key in API_KEY
//   --database  use the migrated, empty PostgreSQL of DATABASE_APP_URL and DATABASE_QUEUE_URL instead of an embedded one
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { CountersignError } from "@countersign/client";
import { cleanup } from "../bench/harness.mjs";
import { withKey } from "./api.mjs";
import { CannotStart, makeFolder, startInstance } from "./instance.mjs";
import { startReceiver } from "./receiver.mjs";
import { openScreen } from "./screen.mjs";
import * as story from "./story.mjs";

const USAGE = "usage: npm run demo -- [--exit] [--keep] [--url ADDRESS, with API_KEY in the environment] [--database]\n";

const asked = readArguments();
const screen = openScreen(process.stdout, process.env);
const end = cleanup();
const endOnce = once(end.run);
let isServing = false;
let isStopped = false;
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => {
    isStopped = true;
    void endOnce().finally(() => process.exit(isServing ? 0 : 1));
  });
}

try {
  await tellAll();
  process.exitCode = 0;
} catch (error) {
  // Errors caused by stopping everything are not failures.
  if (!isStopped) screen.say(`\n${sentence(error)}`);
  process.exitCode = 1;
} finally {
  await endOnce();
}

async function tellAll() {
  const began = performance.now();
  screen.head("Countersign: from an empty folder to evidence that anyone can verify");
  const folder = await makeFolder(end, asked);
  const documents = join(folder, "documents");
  const { api, ended } = asked.url === undefined ? await begin(folder) : openRunning(asked.url);

  const receiver = await startReceiver(end);
  const endpoint_id = await screen.step("Webhook receiver started", (tell) => story.listenForWebhooks(api, receiver, tell));
  if (asked.url !== undefined) end.later(() => api.cs.webhookEndpoints.delete(endpoint_id));
  const template_id = await screen.step("Template created from a PDF with tags", (tell) => story.makeTemplate(api, documents, tell));
  const envelope_id = await screen.step("Envelope sent to two people", (tell) => story.sendLease(api, template_id, tell));
  await screen.step("Ann signs", (tell) => story.annSigns(api, envelope_id, tell));
  await screen.step("Sam signs", (tell) => story.samSigns(api, envelope_id, tell));
  await screen.step("Sealed, stored, evaluated: vaulted", (tell) => story.untilVaulted(api, envelope_id, tell));
  await screen.step("Webhooks received and verified", (tell) => story.receiveWebhooks(receiver, envelope_id, tell));
  const evidence = await screen.step("Documents downloaded", (tell) => story.downloadEvidence(api, envelope_id, documents, tell));
  await screen.step("Evidence verified offline by a process without a network", (tell) => story.verifyOffline(evidence, tell));
  await screen.step("One byte flipped: refused", (tell) => story.refuseFlippedByte(evidence, documents, tell));
  const links = await screen.step("Envelope waiting for you", (tell) => story.makeLinks(api, template_id, envelope_id, tell));
  screen.say(`\nTotal time: ${((performance.now() - began) / 1000).toFixed(1)} s.`);

  if (asked.keep) screen.say(`The folder is kept: ${folder}`);
  if (asked.exit) return;
  await Promise.race([ended, serve(api, envelope_id, documents, links)]);
  throw new Error("the service stopped unexpectedly");
}

/** @param {string} url */
function openRunning(url) {
  return { api: withKey(url, process.env.API_KEY ?? ""), ended: new Promise(() => undefined) };
}

/** @param {string} folder */
async function begin(folder) {
  const { database } = asked;
  const instance = await screen.step("Service started on an empty folder", async (tell) => {
    const started = await startInstance(end, { folder, database });
    tell(`${started.url}, ${!database ? "with an embedded PostgreSQL" : "with the given PostgreSQL"}`);
    return started;
  });
  const admin = await screen.step("Organization set up with the one-time link", (tell) => story.setUp(instance, tell));
  return { api: await screen.step("API key created", (tell) => story.makeKey(admin, tell)), ended: instance.ended };
}

/** Runs until it is stopped. @param {import("./api.mjs").Api} api @param {string} envelope_id @param {string} documents @param {story.Links} links */
async function serve(api, envelope_id, documents, links) {
  const { signing, vault, reference } = links;
  screen.head("Links");
  screen.list([
    ["Sign as Ann", signing],
    ["Vault page", vault ?? "not part of this build"],
    ["API reference", reference],
    ["Documents", documents],
  ]);
  screen.say();
  if (vault !== null) screen.say(screen.dim("The link to the vault page works for 15 minutes. Press Enter for a new one."));
  screen.say(screen.dim(`Ctrl-C stops the service and the database${asked.keep ? "" : " and removes the folder"}.`));
  isServing = true;
  for await (const _line of createInterface({ input: process.stdin })) {
    if (vault !== null) screen.list([["Vault page", (await story.vaultLink(api, envelope_id)) ?? ""]]);
  }
  // Standard input has ended. The service keeps running until a signal arrives.
  await new Promise(() => setInterval(() => undefined, 60_000));
}

function readArguments() {
  const { exit: wantsExit, ...values } = parse();
  if (values.url !== undefined && (process.env.API_KEY ?? "") === "") refuse("--url needs an API key of that service in API_KEY");
  if (values.url !== undefined && values.database) refuse("--url and --database cannot be used together");
  return { ...values, url: values.url?.replace(/\/+$/, ""), exit: wantsExit || !process.stdout.isTTY };
}

function parse() {
  try {
    const flag = /** @type {const} */ ({ type: "boolean", default: false });
    return parseArgs({ options: { exit: flag, keep: flag, url: { type: "string" }, database: flag } }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} why @returns {never} */
function refuse(why) {
  process.stderr.write(`${why}\n${USAGE}`);
  process.exit(2);
}

/** A sentence for errors that the user can fix, and the stack for bugs. @param {unknown} error */
function sentence(error) {
  if (error instanceof CannotStart || error instanceof CountersignError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {() => Promise<void>} run */
function once(run) {
  /** @type {Promise<void> | null} */
  let ran = null;
  return () => {
    ran ??= run();
    return ran;
  };
}
