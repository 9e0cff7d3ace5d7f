import type {
  ActId,
  BatchId,
  ControlBatchId,
  EndingId,
  EnvelopeId,
  ExportId,
  MessageId,
  OrgId,
  PartyId,
  RemoteVaultId,
  SealId,
  SubmissionId,
  UserId,
  VaultTransferId,
} from "../shared/ids.ts";

/** The audit entry that records why vaulted records are evaluated again: its type, and its hash, which names it alone. */
export interface Cause {
  readonly type: string;
  readonly hash: string;
}

/** Records that one cause concerns: those of a revoked seal, of a custodian who left the organization, or that a control batch changed. */
export type Affected =
  | { readonly kind: "seal"; readonly seal_id: SealId; readonly invalid_from: string; readonly reason: string }
  | { readonly kind: "custodian"; readonly user_id: UserId }
  | { readonly kind: "batch"; readonly control_batch_id: ControlBatchId };

/** Every job by name, with its payload. The feature that the name starts with implements it in its `jobs.ts`. */
export interface Jobs {
  /** delete ended sessions, stored responses, unused quotas and the text of mails with expired links */
  "orgs.clean-up": Record<string, never>;
  /** look for the DNS records that prove the domains of organizations */
  "orgs.check-domains": Record<string, never>;
  /** mail members a day before they need a second factor */
  "orgs.remind-of-factors": Record<string, never>;
  /** mail a link for a new password if the address has an account; the address is encrypted */
  "accounts.send-reset": { readonly address_enc: string };
  /** mail a link that makes a browser known if the address has an account; the address is encrypted */
  "accounts.send-browser-link": { readonly address_enc: string };
  /** one message to each admin of an org */
  "orgs.notify-admins": { readonly org_id: OrgId; readonly kind: string; readonly subject: string; readonly text: string };
  /** one message to a member of an org, or to its admins if the member has left */
  "orgs.notify-member": { readonly org_id: OrgId; readonly user_id: UserId } & {
    readonly kind: string;
    readonly subject: string;
    readonly text: string;
    readonly html: string;
  };
  /** put refused requests with existing keys into the audit chain */
  "keys.report-refusals": Record<string, never>;
  /** send new audit entries to the systems of orgs and of the operator */
  "audit-sinks.push": Record<string, never>;
  /** give failed log-ins and refusals of past minutes to their orgs, and remove old ones */
  "audit-sinks.record-sign-ins": Record<string, never>;
  /** mail the admins before a key expires */
  "keys.warn-expiry": Record<string, never>;
  /** tell a signing provider that a submission has ended */
  "signing.cancel": { readonly org_id: OrgId; readonly submission_id: SubmissionId };
  /** remove the data of a sandbox, and the sandbox if it was deleted */
  "sandbox.reset": { readonly org_id: OrgId };
  /** remove old data of sandboxes, and what is left of deleted ones; finish resets that did not end */
  "sandbox.clean-up": Record<string, never>;
  /** fill in what rows from before lack: every backfill of `main.ts` */
  "db.backfill": Record<string, never>;
  /** its name before 0.2.0, for jobs that such a version queued */
  "envelopes.index-words": Record<string, never>;
  /** end expired envelopes, send due reminders, number lists that grew */
  "envelopes.sweep": Record<string, never>;
  /** stamp the signed values onto the document, and seal it */
  "envelopes.finish-document": { readonly org_id: OrgId; readonly envelope_id: EnvelopeId };
  /** store the signed document as the authoritative copy, evaluate it, and issue the certificate */
  "vault.store": { readonly org_id: OrgId; readonly envelope_id: EnvelopeId };
  /** evaluate a vaulted record again after something happened to it: one revision and one event for each cause */
  "vault.evaluate": {
    readonly org_id: OrgId;
    readonly envelope_id: EnvelopeId;
    readonly cause: Cause;
    /** no revision if the seal is as valid as it was: the cause may not concern this record */
    readonly only_if_seal_check_changes?: true;
  };
  /** the same for many records, a batch at a time; `after` is the last record of the batch before */
  "vault.evaluate-affected": {
    readonly org_id: OrgId;
    readonly cause: Cause;
    readonly of: Affected;
    readonly after: EnvelopeId | null;
  };
  /** mail those whom an act asks */
  "vault.tell-asked": { readonly org_id: OrgId; readonly act_id: ActId };
  /** do what a confirmed act needs before it takes effect */
  "vault.finish-act": { readonly org_id: OrgId; readonly act_id: ActId };
  /** make the PDF of a record that is replaced by paper */
  "vault.make-paper": { readonly org_id: OrgId; readonly ending_id: EndingId };
  /** remove the files of a record */
  "vault.destroy": { readonly org_id: OrgId; readonly ending_id: EndingId };
  /** seal the certificate of how a record ended */
  "vault.certify-ending": { readonly org_id: OrgId; readonly ending_id: EndingId };
  /** mail the recipient of an export */
  "vault.tell-recipient": { readonly org_id: OrgId; readonly export_id: ExportId };
  /** give the next waiting items of a control batch their result, and the batch its report after the last one */
  "vault.run-batch": { readonly org_id: OrgId; readonly control_batch_id: ControlBatchId; readonly after: number };
  /** check the rows of a bulk send */
  "bulk.check": { readonly org_id: OrgId; readonly batch_id: BatchId };
  /** send rows of a bulk send for some seconds. `run_no`: of the start that it belongs to; `tries`: how often its first row failed */
  "bulk.run": { readonly org_id: OrgId; readonly batch_id: BatchId; readonly run_no: number; readonly tries: number };
  /** remove the contents of old bulk sends */
  "bulk.clean-up": Record<string, never>;
  /** fill in what stored copies are recognized by, for those that were stored without it */
  "vault.fingerprint": Record<string, never>;
  /** draw the first pages ahead of time */
  "signing.draw-pages": { readonly org_id: OrgId; readonly envelope_id: EnvelopeId };
  /** remove blobs that were stored but never referenced */
  "storage.sweep": Record<string, never>;
  /** encrypt blobs that were stored before they were encrypted */
  "storage.encrypt": Record<string, never>;
  /** encrypt values again that are encrypted under an earlier version of APP_SECRET */
  "secrets.re-wrap": Record<string, never>;
  /** mail operators what does not work */
  "failed-jobs.tell-operator": Record<string, never>;
  /** try to send one message */
  "mail.send": { readonly message_id: MessageId };
  /** try due messages again, after a pause or after a worker died */
  "mail.resume": Record<string, never>;
  /** create the deliveries of the org's new events */
  "webhooks.fan-out": { readonly org_id: OrgId };
  /** add partitions of large tables for later, and drop those past their retention */
  "db.partitions": Record<string, never>;
  /** append new audit entries to the log, and sign a checkpoint */
  "log.checkpoint": Record<string, never>;
  /** have the latest checkpoint time-stamped */
  "log.stamp": Record<string, never>;
  /** ask witnesses to cosign the latest note of the log */
  "log.ask-witnesses": Record<string, never>;
  /** compare the whole log with its checkpoints, once a day or while a fault is open */
  "log.verify": Record<string, never>;
  /** keep the latest checkpoint in the document store, which shows a database that is older than the store */
  "log.keep-checkpoint": Record<string, never>;
  /** renew what evidence rests on before it expires or weakens; continues at once while there is more to do */
  "log.renew-evidence": Record<string, never>;
  /** mail a code to a person who acts for a party, if the address has one; the address is encrypted. `act_id` is null for log-in */
  "vault.send-person-code": { readonly address_enc: string; readonly act_id: string | null };
  /** end expired custody transfers and exports, and erase keys after a day */
  "vault.expire": Record<string, never>;
  /** do the next steps of a transfer to or from another vault, and send what it has not confirmed */
  "vault.continue-transfer": { readonly org_id: OrgId; readonly transfer_id: VaultTransferId; readonly direction: "out" | "in" };
  /** the same for all transfers that are due, because a message was lost or the other vault was away */
  "vault.resend-transfers": Record<string, never>;
  /** send a request, a decision or the end of an act to the installation that it asks or that asked, and take what it answers */
  "vault.exchange-act": {
    readonly org_id: OrgId;
    readonly vault_id: RemoteVaultId;
    readonly act_id: ActId;
    readonly party_id: PartyId;
    readonly side: "asker" | "decider";
  };
  /** the same for all that are due again */
  "vault.exchange-acts": Record<string, never>;
  /** ask or tell an organization's registry about an act */
  "vault.send-registration": { readonly org_id: OrgId; readonly act_id: ActId };
  /** the same for all that are due again */
  "vault.resend-registrations": Record<string, never>;
  /** begin to compare vaulted documents with their records: a job for each of 64 slices */
  "vault.sweep": Record<string, never>;
  /** compare what is due of a slice, for some seconds. `seed` and `began_at`: of the sweep, for its random share */
  "vault.verify-slice": { readonly slice: number; readonly seed: string; readonly began_at: string };
}

export type JobName = keyof Jobs;

/** A job may run twice, because a worker can die after the effect. A second run must notice that the work is done. */
export type JobHandlers = { readonly [N in JobName]: (payload: Jobs[N]) => Promise<void> };

/** The jobs that are enqueued with a key. The scheduled `log.` jobs have none; if one is removed, the next one is a minute, an hour or a day later. */
export const keyedJobs: readonly JobName[] = [
  "db.partitions",
  "webhooks.fan-out",
  "log.checkpoint",
  "log.ask-witnesses",
  "log.renew-evidence",
  "envelopes.finish-document",
  "sandbox.reset",
  "db.backfill",
  "vault.fingerprint",
  "vault.verify-slice",
];

/**
 * Jobs that are many and take long: a worker runs at most this many at once, so that others find a place, and of those with the same key one
 * at a time in all workers.
 */
export const limitedJobs: Readonly<Partial<Record<JobName, number>>> = { "vault.verify-slice": 2 };

/** Recurring jobs as five-field cron expressions, in UTC. `priority`: jobs with a higher number run later; 0 unless it is given. */
export const schedule: readonly { readonly cron: string; readonly job: JobName; readonly priority?: number }[] = [
  { cron: "7 * * * *", job: "orgs.clean-up" },
  { cron: "* * * * *", job: "keys.report-refusals" },
  { cron: "* * * * *", job: "audit-sinks.record-sign-ins" },
  { cron: "* * * * *", job: "audit-sinks.push" },
  { cron: "5 6 * * *", job: "keys.warn-expiry" },
  { cron: "35 6 * * *", job: "orgs.check-domains" },
  { cron: "35 * * * *", job: "orgs.remind-of-factors" },
  { cron: "37 * * * *", job: "storage.sweep" },
  { cron: "* * * * *", job: "envelopes.sweep" },
  { cron: "2 * * * *", job: "db.backfill" },
  { cron: "* * * * *", job: "mail.resume" },
  { cron: "* * * * *", job: "failed-jobs.tell-operator" },
  { cron: "52 2 * * *", job: "db.partitions" },
  { cron: "* * * * *", job: "log.checkpoint" },
  { cron: "12 * * * *", job: "log.stamp" },
  { cron: "27 * * * *", job: "log.ask-witnesses" },
  { cron: "42 * * * *", job: "log.verify" },
  { cron: "47 * * * *", job: "log.keep-checkpoint" },
  { cron: "32 4 * * *", job: "log.renew-evidence" },
  { cron: "* * * * *", job: "vault.expire" },
  { cron: "* * * * *", job: "vault.resend-transfers" },
  { cron: "* * * * *", job: "vault.exchange-acts" },
  { cron: "* * * * *", job: "vault.resend-registrations" },
  { cron: "17 * * * *", job: "vault.sweep" },
  { cron: "47 5 * * *", job: "vault.fingerprint" },
  { cron: "57 * * * *", job: "bulk.clean-up" },
  { cron: "22 * * * *", job: "sandbox.clean-up" },
  { cron: "* * * * *", job: "secrets.re-wrap", priority: 10 },
  { cron: "* * * * *", job: "storage.encrypt", priority: 10 },
];
