import { call, forgetToken, forgetVisit } from "../session.ts";
import { refresh, runAction } from "./actions.ts";
import { discardUnsaved, flush } from "./autosave.ts";
import { clearCeremony, isReviewing, note } from "./ceremony.ts";
import { dropPages } from "./document.ts";
import { endWith } from "./interpret-error.ts";

/** Ways to leave the signing ceremony without signing. */

export async function withdraw(): Promise<boolean> {
  return runAction(async () => {
    await flush();
    await call("POST /consent", { body: { accepted: false } });
    isReviewing.value = false;
    note.value = "withdrawn";
    await refresh();
  });
}

export async function decline(reason: string): Promise<boolean> {
  return runAction(async () => {
    await call("POST /decline", { body: reason.trim() === "" ? {} : { reason: reason.trim() } });
    endWith("declined_by_you");
    forgetToken();
  });
}

/** The reader is another person than the signer. Nothing of the document stays in this window, and a reload does not bring it back. */
export function leaveAsOther(): void {
  discardUnsaved();
  forgetVisit();
  dropPages();
  clearCeremony();
  endWith("not_you");
}
