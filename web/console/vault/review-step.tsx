import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { Form } from "../parts/form.tsx";
import { en } from "../words/deposit/en.ts";
import { bodyOf, type StepProps } from "./deposit-form.ts";
import { originWords } from "./words.tsx";

const w = en.reviewStep;

interface ReviewStepProps extends StepProps {
  readonly name: string;
  readonly onBack: () => void;
  readonly onSend: () => Promise<void>;
}

/** A summary before the deposit is recorded permanently. */
export function ReviewStep({ form, sending, name, onBack, onSend }: ReviewStepProps) {
  const { source, attestation, evidence, terms, party } = form;
  const signers = attestation.signers.map((signer) => signer.name.trim()).filter((one) => one !== "");
  return (
    <Form sending={sending} onSend={onSend} wide>
      <Facts
        facts={[
          [w.document, name],
          [w.kind, originWords[source]],
          [w.attestedBy, attestation.by.name.trim() === "" ? w.noOneThe : attestation.by.name],
          [w.signedBy, signers.length === 0 ? w.noSignersNamed : signers.join(", ")],
          ...(source === "electronic_signed" ? ([[w.signingRecord, evidence?.name ?? w.noneAttached]] as const) : []),
          [w.securedParty, party.name.trim() === "" ? w.none : party.name],
          [w.terms, w.versionAcceptedBy(terms.version, terms.name, terms.email)],
        ]}
      />
      <p>{w.theDocumentIs}</p>
      {sending.isBusy && (
        <div class="stack tight" role="status">
          <progress class="progress" aria-label={w.depositing} />
          <p class="quiet small">{w.recordingTheTerms}</p>
        </div>
      )}
      <div class="buttons">
        <SubmitButton sending={sending} busyLabel={w.depositingNow}>
          {w.deposit}
        </SubmitButton>
        <button type="button" class="button" onClick={onBack}>
          {w.back}
        </button>
      </div>
      <ApiCall operation="vault_in_upload" given={{ params: { envelope_id: "ENVELOPE_ID" }, body: bodyOf(form) }} />
    </Form>
  );
}
