import { vault } from "../../i18n/vault/vault.ts";
import { takeAway } from "../acts.ts";
import { hasCopies, record } from "../record.ts";
import { ActButton, Failure } from "./act-button.tsx";

/** For those whose record it is: everything that it takes to check it without us. */
export function Evidence() {
  if (!hasCopies.value) return null;
  const isTheirs = record.value?.you.may_have_evidence === true;
  return (
    <section class="stack tight">
      <h2>{vault.value.evidenceTitle}</h2>
      <p class="small quiet">{isTheirs ? vault.value.evidenceLead : vault.value.evidenceNot}</p>
      {isTheirs && (
        <>
          <ActButton act="evidence" run={() => takeAway("evidence")}>
            {vault.value.evidenceDo}
          </ActButton>
          <Failure acts={["evidence"]} />
          <p class="small">
            {vault.value.evidenceCheck} <code class="hash">countersign-verify evidence.zip</code>
          </p>
        </>
      )}
    </section>
  );
}
