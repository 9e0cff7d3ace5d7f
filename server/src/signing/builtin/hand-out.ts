import type { Tx } from "../../db/sql.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import type { SigningDeps } from "../submission.ts";
import { look, refuseViewing } from "./ceremony.ts";
import { ensureOpened } from "./open-signing.ts";
import { recordShown } from "./show-page.ts";

/** The current document, for everyone who can see its pages. A signer who downloads it has seen it. */
export async function handOut(deps: SigningDeps, who: WidgetCaller): Promise<FileAnswer> {
  const admit = async (tx: Tx) => {
    const before = await look(deps, tx, who);
    refuseViewing(before);
    await ensureOpened(deps, tx, who);
    return { ceremony: before, document: await deps.findDocument(tx, who.org, who.holder.envelope_id) };
  };
  const { ceremony, document } = await notingMismatch(deps, who.org, () => deps.db.tx(who.org, admit));
  const file = await deps.issueDocument(who);
  await recordShown(deps, who, ceremony, document, null);
  return file;
}
