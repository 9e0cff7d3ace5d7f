import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { SigningDeps } from "../submission.ts";
import { look, recipientOf, refuseViewing } from "./ceremony.ts";

/**
 * The completion certificate, for recipients who can see the document. It names all recipients with their addresses, so other people do not get it.
 * An envelope that ended without all signatures has no page from which to ask for it.
 */
export async function handOutCertificate(deps: SigningDeps, who: WidgetCaller): Promise<FileAnswer> {
  recipientOf(who);
  await deps.db.tx(who.org, async (tx) => refuseViewing(await look(deps, tx, who)));
  return deps.serveCompletion(who.org, who.holder.envelope_id);
}
