import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { SigningDeps } from "../submission.ts";
import { look, refuseLook } from "./ceremony.ts";

/** The document as it is now, to whoever may see its pages. */
export async function handOut(deps: SigningDeps, who: WidgetCaller): Promise<FileAnswer> {
  await deps.db.tx(who.org, async (tx) => refuseLook(await look(deps, tx, who)));
  return deps.issueDocument(who);
}
