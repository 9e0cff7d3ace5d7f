import type { Tx } from "../../db/sql.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import type { SigningDeps } from "../submission.ts";
import { type Ceremony, look, refuseViewing } from "./ceremony.ts";
import { ensureOpened } from "./open-signing.ts";
import { recordShown } from "./show-page.ts";

/** The current document, for everyone who can see its pages. A signer who downloads it has seen it. */
export const handOut = (deps: SigningDeps, who: WidgetCaller): Promise<FileAnswer> =>
  handOutTo(deps, who, refuseViewing, () => deps.issueDocument(who));

export async function handOutTo(
  deps: SigningDeps,
  who: WidgetCaller,
  refuse: (ceremony: Ceremony) => void,
  issue: () => Promise<FileAnswer>,
): Promise<FileAnswer> {
  const admit = async (tx: Tx) => {
    const before = await look(deps, tx, who);
    refuse(before);
    await ensureOpened(deps, tx, who, before);
    return { ceremony: before, document: await deps.findDocument(tx, who.org, who.holder.envelope_id) };
  };
  const { ceremony, document } = await notingMismatch(deps, who.org, () => deps.db.tx(who.org, admit));
  const file = await issue();
  await recordShown(deps, who, ceremony, document, null);
  return file;
}
