import { forgetVisit } from "../session.ts";
import { discardUnsaved } from "./autosave.ts";
import { clearCeremony } from "./ceremony.ts";
import { dropPages } from "./document.ts";
import { endWith } from "./interpret-error.ts";

/** The reader is another person than the signer. Nothing of the document stays in this window, and a reload does not bring it back. */
export function leaveAsOther(): void {
  discardUnsaved();
  forgetVisit();
  dropPages();
  clearCeremony();
  endWith("not_you");
}
