import { readStored } from "../../documents/read-stored.ts";
import { makeVaultedCopy, type Reader, recordIssue } from "../../envelopes/issue-document.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import type { LockedCopy } from "../copy.ts";
import { lookUpCopy } from "../copy-store.ts";
import { lookUpRendition, type Rendition, setRendition, takeRendition } from "./store.ts";
import { ensureVisit, findVaulted, handedOut, requireShown, type WidgetDeps } from "./visit.ts";

/**
 * One copy per token: the pages that are shown are those of the file that can be downloaded, and it is recorded once. Its bytes are in the
 * blob store, where every process finds them, claimed but never kept: the store's sweep removes them a day later, long after the token has
 * expired.
 */
export interface Shown extends Rendition {
  readonly bytes: Uint8Array;
  readonly of: LockedCopy;
}

// Requests for several pages at once must not make and seal the same copy twice. Other processes are coordinated by the row.
const underway = new WeakMap<WidgetDeps, Map<string, Promise<Rendition>>>();

export async function ensureRendition(deps: WidgetDeps, who: WidgetCaller): Promise<Shown> {
  const { org, holder } = who;
  const { copy, known } = await deps.db.tx(org, async (tx) => {
    const found = await findVaulted(tx, org, holder.envelope_id);
    requireShown(found, ...handedOut);
    await ensureVisit(tx, who);
    return { copy: found, known: await lookUpRendition(tx, org, holder.token_sha256) };
  });
  const rendition = known ?? (await makeOnce(deps, who));
  return { ...rendition, of: copy, bytes: await readStored(deps, org, rendition.sha256, "document_unavailable") };
}

function makeOnce(deps: WidgetDeps, who: WidgetCaller): Promise<Rendition> {
  const { token_sha256 } = who.holder;
  const here = underway.get(deps) ?? new Map<string, Promise<Rendition>>();
  underway.set(deps, here);
  const made = here.get(token_sha256) ?? make(deps, who).finally(() => here.delete(token_sha256));
  here.set(token_sha256, made);
  return made;
}

async function make(deps: WidgetDeps, who: WidgetCaller): Promise<Rendition> {
  const { org, holder } = who;
  const { envelope_id, token_sha256 } = holder;
  const reader: Reader = { caller: who, named: holder.user_email, early: "prepared" };
  const { file, issue } = await makeVaultedCopy(deps, reader, envelope_id);
  const { sha256 } = await storeBlob(deps.storage, org, file.bytes);
  return deps.db.tx(org, async (tx) => {
    if (await takeRendition(tx, org, token_sha256)) {
      // If the sweep found damage while the copy was made, nothing is handed out.
      const copy = await lookUpCopy(tx, org, envelope_id);
      if (copy !== null) requireShown(copy, ...handedOut);
      await recordIssue(tx, reader, envelope_id, { ...issue, sha256 });
      await setRendition(tx, org, token_sha256, { issued_copy_id: issue.issued_copy_id, sha256, file_name: file.file_name ?? "copy.pdf" });
    }
    const winner = await lookUpRendition(tx, org, token_sha256);
    if (winner === null) throw new Error("a visit ended while its copy was made");
    return winner;
  });
}
