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

/** Everything once more, before it is on record for good. */
export function ReviewStep({ form, sending, name, onBack, onSend }: ReviewStepProps) {
  const { source, attestation, evidence, terms, party } = form;
  const signers = attestation.signers.map((signer) => signer.name.trim()).filter((one) => one !== "");
  return (
    <Form sending={sending} onSend={onSend} wide>
      <Facts
        facts={[
          ["Document", name],
          ["Kind", originWords[source]],
          [
            "Attested by",
            attestation.by.name.trim() === "" ? "Nobody: what was said about the signing does not count" : attestation.by.name,
          ],
          ["Signed by", signers.length === 0 ? "Nobody is named" : signers.join(", ")],
          ...(source === "electronic_signed" ? ([["Record of the signing", evidence?.name ?? "None attached"]] as const) : []),
          ["Secured party", party.name.trim() === "" ? "None" : party.name],
          ["Terms", `Version ${terms.version}, accepted by ${terms.name} (${terms.email})`],
        ]}
      />
      <p>
        The document is sealed, and this declaration is written into its audit trail. An attestation can be corrected later, and every
        version of it stays on record.
      </p>
      {sending.isBusy && (
        <div class="stack tight" role="status">
          <progress class="progress" aria-label="Depositing" />
          <p class="quiet small">Recording the terms and the attestation, then sealing, storing and judging the document.</p>
        </div>
      )}
      <div class="buttons">
        <SubmitButton sending={sending} busyLabel="Depositing…">
          Deposit it
        </SubmitButton>
        <button type="button" class="button" onClick={onBack}>
          Back
        </button>
      </div>
      <ApiCall operation="vault_in_upload" given={{ params: { envelope_id: "ENVELOPE_ID" }, body: bodyOf(form) }} />
    </Form>
  );
}
