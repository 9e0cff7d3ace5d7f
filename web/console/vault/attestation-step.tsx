import { useState } from "preact/hooks";
import { canHash, sha256Of } from "../../hash.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { en } from "../words/deposit/en.ts";
import { AttestationFields } from "./attestation-fields.tsx";
import type { StepProps } from "./deposit-form.ts";
import { StepButtons } from "./step-buttons.tsx";

const w = en.attestationStep;

interface AttestationStepProps extends StepProps {
  readonly onBack: () => void;
  readonly onNext: () => void;
}

export function AttestationStep({ form, put, sending, onBack, onNext }: AttestationStepProps) {
  return (
    <Form sending={sending} wide onSend={async () => onNext()}>
      <AttestationFields
        source={form.source}
        value={form.attestation}
        onChange={(attestation) => put({ attestation })}
        sending={sending}
        at="attestation."
      />
      {form.source === "electronic_signed" && <EvidenceField file={form.evidence} onFile={(evidence) => put({ evidence })} />}
      <StepButtons onBack={onBack} />
    </Form>
  );
}

interface EvidenceFieldProps {
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

/** Can only be sent with the deposit. Its hash is attested automatically. */
function EvidenceField({ file, onFile }: EvidenceFieldProps) {
  const [hash, setHash] = useState("");
  const choose = async (chosen: File | null) => {
    onFile(chosen);
    setHash(chosen === null || !canHash ? "" : await sha256Of(chosen));
  };
  return (
    <Field label={w.signingRecordOf} optional hint={w.aPdfPng}>
      {(given) => (
        <>
          <input
            {...given}
            type="file"
            class="input"
            accept=".pdf,.png,.jpg,.jpeg,.json"
            onChange={(event) => void choose(event.currentTarget.files?.[0] ?? null)}
          />
          {file !== null && (
            <p class="small" role="status">
              {file.name}
              {hash !== "" && (
                <>
                  {w.sha256}
                  <code class="mono">{hash}</code>
                </>
              )}
            </p>
          )}
        </>
      )}
    </Field>
  );
}
