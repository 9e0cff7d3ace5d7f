import { canonicalize, type Json } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { Act } from "../acts/act.ts";
import type { Control } from "../acts/control.ts";
import { readDocument } from "../acts/document.ts";
import { REGISTRATION_DAYS, type RegistryMode } from "./registry.ts";
import { beginRegistering, insertRegistration } from "./store.ts";

/** Everyone who was asked has confirmed the act; it now waits for the registry. The caller holds the locks of envelope, copy and act. */
export async function askRegistry(tx: Tx, control: Control, act: Act): Promise<void> {
  const { org, copy } = control;
  const until = new Date(copy.now.getTime() + REGISTRATION_DAYS * DAY_MS);
  await beginRegistering(tx, org, act.act_id, { at: copy.now, until });
  await startRegistration(tx, control, act, "gate");
}

/** Queues the request with its bytes, in the transaction that makes it due. */
export async function startRegistration(tx: Tx, control: Control, act: Act, mode: RegistryMode): Promise<void> {
  const { org, copy } = control;
  const { act_id, sha256, kind } = act;
  const body = Buffer.from(
    canonicalize({
      type: "countersign/registration/1",
      registration_id: act_id,
      mode,
      kind,
      org_id: org,
      envelope_id: copy.envelope_id,
      copy_id: copy.copy_id,
      copy_sha256: copy.sha256,
      lineage_id: copy.lineage_id,
      registry_reference: copy.registry_reference,
      act_sha256: sha256,
      act: readDocument(act) as unknown as Json,
    }),
  );
  const give_up_at = new Date(copy.now.getTime() + REGISTRATION_DAYS * DAY_MS);
  await insertRegistration(tx, org, { act_id, mode, body, give_up_at, now: copy.now });
  await enqueue(tx, "vault.send-registration", { org_id: org, act_id });
}
