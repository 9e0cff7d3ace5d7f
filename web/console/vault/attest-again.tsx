import type { Attestation } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import type { AttestedSource } from "./api.ts";
import { type AttestationForm, attestationOf, emptyForm, formOf } from "./attestation.ts";
import { AttestationFields } from "./attestation-fields.tsx";
import type { RecordProps } from "./record-props.ts";
import { resultWords } from "./words.tsx";

const w = en.attestAgain;

interface AttestAgainProps extends RecordProps {
  readonly source: AttestedSource;
  readonly onClose: () => void;
}

/** Adds a corrected attestation. Earlier ones stay in the audit trail. */
export function AttestAgain(props: AttestAgainProps) {
  const loaded = useLoad("attested", () => lastAttested(props.envelope_id));
  return (
    <Card title={w.correctAttestation}>
      <p class="quiet">{w.theFormStarts}</p>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data === null ? loaded.isSlow && <Skeleton /> : <AttestationEditor {...props} first={loaded.data} />}
    </Card>
  );
}

function AttestationEditor({ envelope_id, source, done, onClose, first }: AttestAgainProps & { first: AttestationForm }) {
  const sending = useSending();
  const [value, setValue] = useState(first);
  const [isEvaluated, setEvaluated] = useState(true);
  const params = { envelope_id };
  const record = async () => {
    const { attestation_no } = await call("add_attestation", { params, body: attestationOf(value, source) });
    onClose();
    const found = isEvaluated ? await evaluate(envelope_id) : "";
    await done(w.attestationRecorded(attestation_no, found));
  };
  return (
    <Form sending={sending} onSend={record}>
      <AttestationFields source={source} value={value} onChange={setValue} sending={sending} at="" isRequired />
      <Checkbox label={w.runChecksAgain} checked={isEvaluated} onCheck={setEvaluated} hint={w.createsANew} />
      <div class="buttons">
        <SubmitButton sending={sending}>{w.recordAttestation}</SubmitButton>
        <button type="button" class="button" onClick={onClose}>
          {w.cancel}
        </button>
      </div>
    </Form>
  );
}

/** Returns the result as a sentence. A failed evaluation does not undo the attestation. */
async function evaluate(envelope_id: string): Promise<string> {
  return call("evaluate_compliance", { params: { envelope_id } }).then(
    (found) => w.checksRunAgain(resultWords(found)),
    () => w.theChecksCould,
  );
}

// Attestations are among the first entries after the deposit; later entries are mostly downloads.
const MAX_PAGES = 10;

/** Attestations are only stored in the audit trail. It is sorted newest first, so the first match is the latest. */
async function lastAttested(envelope_id: string): Promise<AttestationForm> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, meta } = await list("list_envelope_audit_trail", { params: { envelope_id }, query: { page, limit: 100 } });
    const found = data.find(({ type }) => type === "attestation.recorded");
    const kept = found?.data?.attestation as Attestation | undefined;
    if (kept?.attested_by != null) return formOf(kept);
    if (found !== undefined || page * meta.limit >= meta.total) break;
  }
  return emptyForm(me().user.name);
}
