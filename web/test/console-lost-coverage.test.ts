import { readdirSync, readFileSync } from "node:fs";
import { operations } from "@countersign/client/operations";
import { expect, test } from "vitest";

/** Every act of the console is among those whose answer is lost in a test, or says why not. */

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const console = new URL("../console/", import.meta.url);
const source = readdirSync(console, { recursive: true, encoding: "utf8" })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => readFileSync(new URL(file, console), "utf8"))
  .join("\n");

const tests = readdirSync(new URL(".", import.meta.url))
  .filter((file) => /^console-.*\.test\.ts$/.test(file))
  .map((file) => read(file))
  .join("\n");
const lost = [
  ...[...tests.matchAll(/method: "(\w+)",\s+url: \/(.+)\/,\n/g)].map(([, method, path]) => ({ method, path })),
  ...[...tests.matchAll(/loseAnswer\(\w+, \/(.+)\/, "(\w+)"\)/g)].map(([, path, method]) => ({ method, path })),
  ...[...tests.matchAll(/ url: "(.+)",\n/g)].map(([, path]) => ({ method: "POST", path: `${path}$` })),
];

const READS = "changes nothing";
const NO_SAVE = "sends or shows something once more, and nothing that was entered is kept";
const CEREMONY = "a step of a log-in or of a proof of identity, which begins again";
const WIZARD = "a step of the wizard, whose lost answers are in console-prepare, or of the sample";
/** Acts without such a test, with the reason. */
const without: Readonly<Record<string, string>> = {
  preview_envelope: READS,
  preview_template: READS,
  preview_mail_text: READS,
  download_documents: READS,
  check_mail_sender: READS,
  test_audit_sink: NO_SAVE,
  test_sso_connection: NO_SAVE,
  read_notifications: NO_SAVE,
  replay_delivery: NO_SAVE,
  replay_range: "in console-interrupted",
  update_notification_settings: "in console-interrupted",
  start_passkey: CEREMONY,
  log_in_by_passkey: CEREMONY,
  confirm_identity: CEREMONY,
  log_in: CEREMONY,
  log_out: CEREMONY,
  refresh_session: CEREMONY,
  finish_log_in: CEREMONY,
  add_totp: CEREMONY,
  offer_account_passkey: CEREMONY,
  add_account_passkey: CEREMONY,
  send_email_code: CEREMONY,
  verify_email: CEREMONY,
  update_password: "ends the session, so the user logs in again",
  remove_password: "is refused the second time, because there is no password",
  attach_document: WIZARD,
  add_envelope_document: WIZARD,
  change_envelope_document: WIZARD,
  remove_envelope_document: WIZARD,
  replace_envelope_document: WIZARD,
  place_envelope_fields: WIZARD,
  place_fields: "saved by the builder as the fields of an envelope are, in console-prepare",
  retry_bulk_batch: "repeated with its key, as the start of a bulk send is",
  review_duplicate: "repeated with its key, as an attestation is",
  cancel_paper: "repeated with its key, as the cancelling of an export is",
};

test("every act of the console is tried with a lost answer, or says why not", () => {
  const acts = Object.entries(operations).filter(([name, [method]]) => method !== "GET" && source.includes(`"${name}"`));
  expect(acts.length).toBeGreaterThan(80);
  const isLost = (method: string, path: string) =>
    lost.some((one) => one.method === method && new RegExp(one.path ?? "").test(`/api/v2${path.replace(/\{\w+\}/g, "one")}`));
  const untried = acts.filter(([name, [method, path]]) => !isLost(method, path) && !(name in without)).map(([name]) => name);
  expect(untried).toEqual([]);
  const needless = Object.keys(without).filter((name) => !acts.some(([act]) => act === name));
  expect(needless).toEqual([]);
});
