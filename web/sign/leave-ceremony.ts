import { call, forgetToken } from "../session.ts";
import { flush } from "./autosave.ts";
import { isReviewing, note, opened } from "./ceremony.ts";
import { act, readAgain } from "./conduct.ts";
import { endWith } from "./refused.ts";

/** Ways to leave the signing ceremony without signing. */

export async function withdraw(): Promise<boolean> {
  return act(async () => {
    await flush();
    await call("POST /consent", { body: { accepted: false } });
    isReviewing.value = false;
    note.value = "withdrawn";
    await readAgain();
  });
}

export async function decline(reason: string): Promise<boolean> {
  return act(async () => {
    await call("POST /decline", { body: reason.trim() === "" ? {} : { reason: reason.trim() } });
    endWith("declined_by_you");
    forgetToken();
  });
}

/** Withdraws the consent, if there is one, and declines. */
export async function signOnPaper(reason: string): Promise<boolean> {
  const hadConsent = opened.value?.consent?.accepted_at != null;
  if (hadConsent && !(await act(async () => void (await call("POST /consent", { body: { accepted: false } }))))) return false;
  return decline(reason);
}
