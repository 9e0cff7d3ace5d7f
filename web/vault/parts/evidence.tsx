import { vault } from "../../i18n/vault/vault.ts";
import { download } from "../actions.ts";
import { hasCopies, record } from "../record.ts";
import { ActionButton, Failure } from "./action-button.tsx";

/** The evidence bundle, for members of the organization and signers. */
export function Evidence() {
  if (!hasCopies.value) return null;
  const mayDownload = record.value?.you.may_have_evidence === true;
  return (
    <section class="stack tight">
      <h2>{vault.value.evidenceTitle}</h2>
      <p class="small quiet">{mayDownload ? vault.value.evidenceLead : vault.value.evidenceNot}</p>
      {mayDownload && (
        <>
          <ActionButton action="evidence" run={() => download("evidence")}>
            {vault.value.evidenceDo}
          </ActionButton>
          <Failure actions={["evidence"]} />
          <p class="small">
            {vault.value.evidenceCheck} <code class="hash">countersign-verify evidence.zip</code>
          </p>
        </>
      )}
    </section>
  );
}
