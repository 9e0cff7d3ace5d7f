import type { JobHandlers } from "../jobs/catalogue.ts";
import type { JobLog } from "../shared/job-log.ts";
import { expireActs } from "./acts/end-act.ts";
import { finishAct } from "./acts/finish-act.ts";
import { finishWaiting } from "./acts/finish-waiting.ts";
import { tellAsked } from "./acts/tell-asked.ts";
import { runBatch } from "./batches/run-batch.ts";
import { expireTransfers } from "./custody/expire-transfers.ts";
import { certifyEnding } from "./ends/certify-ending.ts";
import { destroyRecord } from "./ends/destroy-record.ts";
import { makePaper } from "./ends/make-paper.ts";
import { evaluateAffected } from "./evaluate-affected.ts";
import { evaluateRecord } from "./evaluate-record.ts";
import { endDueExports } from "./exports/ended-exports.ts";
import { tellRecipient } from "./exports/tell-recipient.ts";
import { fillFingerprints } from "./fingerprints/fill-fingerprints.ts";
import { inTurn } from "./in-turn.ts";
import { startSweep } from "./keeping/start-sweep.ts";
import { continueSlice, verifySlice } from "./keeping/verify-slice.ts";
import { continueTransfer, resendTransfers } from "./links/continue-transfer.ts";
import type { LinkDeps } from "./links/link.ts";
import type { PeopleDeps } from "./people/person.ts";
import { sendCode } from "./people/request-code.ts";
import type { RegistryDeps } from "./registry/registry.ts";
import { resendRegistrations, sendRegistration } from "./registry/send-registration.ts";
import { exchangeAct, exchangeActs } from "./remote-requests/exchange-act.ts";
import { storeEnvelope } from "./store-envelope.ts";

export const peopleJobs = (deps: PeopleDeps): Pick<JobHandlers, "vault.send-person-code"> => ({
  "vault.send-person-code": (payload) => sendCode(deps, payload),
});

export const vaultJobs = (
  deps: LinkDeps & RegistryDeps,
  log?: JobLog,
): Pick<
  JobHandlers,
  | "vault.store"
  | "vault.evaluate"
  | "vault.evaluate-affected"
  | "vault.tell-asked"
  | "vault.finish-act"
  | "vault.tell-recipient"
  | "vault.make-paper"
  | "vault.destroy"
  | "vault.certify-ending"
  | "vault.run-batch"
  | "vault.expire"
  | "vault.continue-transfer"
  | "vault.resend-transfers"
  | "vault.exchange-act"
  | "vault.exchange-acts"
  | "vault.send-registration"
  | "vault.resend-registrations"
  | "vault.sweep"
  | "vault.verify-slice"
  | "vault.fingerprint"
> => ({
  "vault.store": (payload) => storeEnvelope(deps, payload),
  "vault.evaluate": (payload) => evaluateRecord(deps, payload),
  "vault.evaluate-affected": (payload) => evaluateAffected(deps, payload),
  "vault.tell-asked": (payload) => tellAsked(deps, payload),
  "vault.finish-act": (payload) => finishAct(deps, payload),
  "vault.tell-recipient": (payload) => tellRecipient(deps, payload),
  "vault.make-paper": (payload) => makePaper(deps, payload),
  "vault.destroy": (payload) => destroyRecord(deps, payload),
  "vault.certify-ending": (payload) => certifyEnding(deps, payload),
  "vault.run-batch": (payload) => runBatch(deps, payload),
  "vault.fingerprint": () => fillFingerprints(deps),
  "vault.expire": async () => {
    await inTurn([expireActs, finishWaiting, expireTransfers, endDueExports], async (end) => (await end(deps)) > 0);
  },
  "vault.continue-transfer": (payload) => continueTransfer(deps, payload),
  "vault.resend-transfers": async () => {
    await resendTransfers(deps);
  },
  "vault.exchange-act": (payload) => exchangeAct(deps, payload),
  "vault.exchange-acts": async () => {
    await exchangeActs(deps);
  },
  "vault.send-registration": (payload) => sendRegistration(deps, payload),
  "vault.resend-registrations": async () => {
    await resendRegistrations(deps);
  },
  "vault.sweep": () => startSweep(deps),
  "vault.verify-slice": async (payload) => {
    const { away, tampered, mismatched, failures, isUnfinished } = await verifySlice(deps, payload);
    if (away !== null) log?.warn({ err: away }, "the sweep of the vault stopped; the next one continues");
    if (tampered > 0) log?.warn({ tampered }, "vaulted documents have changed since they were stored");
    if (mismatched > 0) log?.warn({ mismatched }, "what was signed no longer matches the audit trail");
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} documents or audit trails could not be verified`);
    if (isUnfinished && away === null) await continueSlice(deps, payload);
  },
});
