import { words } from "../../i18n/i18n.ts";
import { joined, note } from "../ceremony.ts";

/** Who has signed in the meantime, and after an attempt to sign: that the document is not signed, and why. */
export function NotSignedNotice() {
  const sentences = [why(), joined.value.length === 0 ? "" : words.value.signedMeanwhile(joined.value)].filter((one) => one !== "");
  if (sentences.length === 0) return null;
  return (
    <p class="notice" role="alert">
      {sentences.join(" ")}
    </p>
  );
}

function why(): string {
  const { notSigned } = words.value;
  if (note.value === "stale") return notSigned.stale;
  if (note.value === "rejected") return notSigned.rejected;
  return note.value === "interrupted" ? notSigned.interrupted : "";
}
