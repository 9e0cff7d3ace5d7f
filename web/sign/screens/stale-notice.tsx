import { words } from "../../i18n/i18n.ts";
import { note } from "../ceremony.ts";

/** The document was changed by another signer, or by this signer in another tab. */
export function StaleNotice() {
  if (note.value !== "stale") return null;
  return (
    <p class="notice" role="alert">
      {words.value.stale}
    </p>
  );
}
