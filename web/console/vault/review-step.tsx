import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { Form } from "../parts/form.tsx";
import { bodyOf, type StepProps } from "./deposit-form.ts";
import { originWords } from "./words.tsx";

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
          ["Document", name],
          ["Kind", originWords[source]],
          ["Attested by", attestation.by.name.trim() === "" ? "No one. The answers about the signing do not count." : attestation.by.name],
          ["Signed by", signers.length === 0 ? "No signers named" : signers.join(", ")],
          ...(source === "electronic_signed" ? ([["Signing record", evidence?.name ?? "None attached"]] as const) : []),
          ["Secured party", party.name.trim() === "" ? "None" : party.name],
          ["Terms", `Version ${terms.version}, accepted by ${terms.name} (${terms.email})`],
        ]}
      />
      <p>
        The document is sealed, and this declaration is written to its audit trail. You can correct the attestation later. All versions are
        kept.
      </p>
      {sending.isBusy && (
        <div class="stack tight" role="status">
          <progress class="progress" aria-label="Depositing" />
          <p class="quiet small">Recording the terms and the attestation, then sealing, storing and checking the document.</p>
        </div>
      )}
      <div class="buttons">
        <SubmitButton sending={sending} busyLabel="Depositing…">
          Deposit
        </SubmitButton>
        <button type="button" class="button" onClick={onBack}>
          Back
        </button>
      </div>
      <ApiCall operation="vault_in_upload" given={{ params: { envelope_id: "ENVELOPE_ID" }, body: bodyOf(form) }} />
    </Form>
  );
}
