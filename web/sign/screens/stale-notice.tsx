import { words } from "../../i18n/i18n.ts";
import { note } from "../ceremony.ts";

/** Somebody else, or the signer in another tab, changed what was about to be signed. */
export function StaleNotice() {
  if (note.value !== "stale") return null;
  return (
    <p class="notice" role="alert">
      {words.value.stale}
    </p>
  );
}
