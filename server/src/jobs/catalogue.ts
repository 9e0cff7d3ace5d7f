import type { EnvelopeId, MessageId, OrgId, SubmissionId, UserId } from "../shared/ids.ts";

/** Every job by name, with its payload. The feature named first implements it in its `jobs.ts`. */
export interface Jobs {
  /** forget ended sessions, stored answers, spent quotas and mail whose links are dead */
  "orgs.clean-up": Record<string, never>;
  /** a link for a new password, if the address has an account; it is encrypted */
  "accounts.send-reset": { readonly address_enc: string };
  /** a link that makes a browser known, if the address has an account; it is encrypted */
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
  /** tell a signing provider that a submission has ended */
  "signing.cancel": { readonly org_id: OrgId; readonly submission_id: SubmissionId };
  /** end what has expired, remind who is due, number the lists that grew */
  "envelopes.sweep": Record<string, never>;
  /** write what was signed into the document, and close it with a seal */
  "envelopes.finish-document": { readonly org_id: OrgId; readonly envelope_id: EnvelopeId };
  /** store the signed document as the authoritative copy, evaluate it, and certify that */
  "vault.store": { readonly org_id: OrgId; readonly envelope_id: EnvelopeId };
  /** make the pictures of the first pages before anybody asks */
  "signing.draw-pages": { readonly org_id: OrgId; readonly envelope_id: EnvelopeId };
  /** remove pictures of pages that nobody has asked for in a month */
  "signing.forget-pages": Record<string, never>;
  /** remove blobs that were stored and never named */
  "storage.sweep": Record<string, never>;
  /** attempt one message */
  "mail.send": { readonly message_id: MessageId };
  /** attempt what is due: after a pause, or after a worker died over it */
  "mail.resume": Record<string, never>;
  /** deliveries for the org's new events */
  "webhooks.fan-out": { readonly org_id: OrgId };
  /** remove deliveries past their retention */
  "webhooks.forget": Record<string, never>;
  /** take what was recorded into the log, and sign its state */
  "log.checkpoint": Record<string, never>;
  /** have the latest state of the log time-stamped */
  "log.stamp": Record<string, never>;
  /** compare the whole log with what was signed, when a day has passed or a fault is open */
  "log.verify": Record<string, never>;
  /** end custody transfers and exports whose time is over, and erase keys whose day is */
  "vault.expire": Record<string, never>;
  /** look at vaulted documents: are they as they were stored? */
  "vault.sweep": Record<string, never>;
}

export type JobName = keyof Jobs;

/** A job may run twice (a worker can die after the effect): each must find its work done and return. */
export type JobHandlers = { readonly [N in JobName]: (payload: Jobs[N]) => Promise<void> };

/** Those that are enqueued with a key. Without one comes only the schedule's checkpoint, which the next minute's replaces. */
export const keyedJobs: readonly JobName[] = ["webhooks.fan-out", "log.checkpoint", "envelopes.finish-document"];

/** Recurring jobs, in cron's five fields, UTC. */
export const schedule: readonly { readonly cron: string; readonly job: JobName }[] = [
  { cron: "7 * * * *", job: "orgs.clean-up" },
  { cron: "37 * * * *", job: "storage.sweep" },
  { cron: "22 3 * * *", job: "signing.forget-pages" },
  { cron: "* * * * *", job: "envelopes.sweep" },
  { cron: "* * * * *", job: "mail.resume" },
  { cron: "52 * * * *", job: "webhooks.forget" },
  { cron: "* * * * *", job: "log.checkpoint" },
  { cron: "12 * * * *", job: "log.stamp" },
  { cron: "42 * * * *", job: "log.verify" },
  { cron: "* * * * *", job: "vault.expire" },
  { cron: "17 * * * *", job: "vault.sweep" },
];
