import { hashOfValues } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { locales } from "../../shared/locales.ts";
import { refuseUnknownZone } from "../../shared/refuse-unknown-zone.ts";
import { provenRecord } from "../proven-record.ts";
import { finalValuesIn, hashedValues, stateHash } from "../signed-content.ts";
import { markActed } from "../store.ts";
import type { SigningDeps } from "../submission.ts";
import { asRecipient, attendanceOf, refuseNewName, refuseOtherTask, refuseUnready } from "./ceremony.ts";
import { refuseStale, refuseUnfilled } from "./complete-signing.ts";
import { dayIn, fill } from "./filled.ts";
import { ensureOpened } from "./open-signing.ts";
import { insertValues, lockDraft } from "./store.ts";

export interface Approval {
  readonly state_sha256: string;
  /** of the approver's own fields; without it, the latest values count */
  readonly revision?: number;
  /** of the page, in which the approver's numbers and dates are written into the document */
  readonly locale?: string;
  readonly timezone?: string;
}

/** What an approver or a viewer did. */
export interface Acted {
  readonly acted_at: Date;
  readonly envelope_status: "sent" | "viewed" | "completed";
}

/**
 * An approver approves the document as they saw it, with what they filled in. If a value has changed since, the page must be read again.
 * The act that finishes a step begins the next one, in the same transaction.
 */
export function approveDocument(deps: SigningDeps, who: WidgetCaller, asked: Approval): Promise<Acted> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  return asRecipient(deps, who, ["approver"], async (tx, ceremony, slug) => {
    const you = refuseOtherTask(ceremony, ["approver"]);
    refuseUnready(ceremony);
    refuseNewName(you);
    await ensureOpened(deps, tx, who, ceremony);
    const { document, signed: before } = await provenRecord(deps, tx, org, envelope_id);
    if (asked.timezone !== undefined) refuseUnknownZone("timezone", asked.timezone);
    const { now: acted_at } = attendanceOf(ceremony);
    const filled = fill(await lockDraft(deps, tx, org, slug), you, document, dayIn(acted_at, asked.timezone));
    const { prepared_sha256 } = document;
    const state_sha256 = stateHash(document, finalValuesIn(document, before));
    refuseStale({ revision: filled.draft.revision, prepared_sha256, ...asked }, document, state_sha256, filled);
    refuseUnfilled(filled);
    const entered = filled.steps.flatMap(({ step, entered: value }) => (value === null ? [] : [{ step, entered: value }]));
    const values = entered.flatMap(hashedValues);
    await insertValues(
      deps,
      tx,
      org,
      envelope_id,
      slug,
      values.flatMap(({ position, value }) => (value === null ? [] : [{ position, value }])),
    );
    await markActed(tx, org, slug, "approved", acted_at);
    const data = {
      recipient_id: you.recipient_id,
      role: you.role,
      user_email: you.email,
      prepared_sha256,
      state_sha256,
      values_sha256: hashOfValues(values),
      locale: locales.find((one) => one === asked.locale) ?? you.locale ?? ceremony.envelope.default_locale,
      timezone: asked.timezone ?? null,
      acted_at: acted_at.toISOString(),
      signing_session,
    };
    await appendAudit(tx, org, { type: "recipient.approved", by: who, envelope_id, data });
    const envelope_status = await deps.onSubmission(tx, org, { kind: "acted", envelope_id, slug, by: who, signing_session });
    return { acted_at, envelope_status };
  });
}
