import { call, forgetToken } from "../session.ts";
import { refresh, runAction } from "./actions.ts";
import { flush } from "./autosave.ts";
import { isReviewing, note } from "./ceremony.ts";
import { endWith } from "./interpret-error.ts";

/** Ways for the signer to leave the ceremony without signing. */

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
