import type { FingerprintKind, PossibleDuplicate } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { stateWords } from "./words.tsx";

const kinds: Record<FingerprintKind, string> = {
  file: "the same file",
  revision: "the same file with something added",
  ours: "made from the same record",
  text: "the same words",
  instrument: "the same instrument",
  pdf_id: "the same PDF identifier",
};

export const inCommon = ({ kinds: found }: PossibleDuplicate): string => found.map((kind) => kinds[kind]).join(", ");

interface DuplicateReviewProps {
  readonly pair: PossibleDuplicate;
  readonly onDone: (words: string) => Promise<void>;
  /** reloads what is shown: someone else may have recorded it in the meantime */
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

/** What a person found who compared two records. The service refuses the person who deposited the record. */
export function DuplicateReview({ pair, onDone, reload, onClose }: DuplicateReviewProps) {
  const { envelope_id, envelope_name, other } = pair;
  const sending = useSending();
  const [statement, setStatement] = useState("");
  const record = async () => {
    const body = { other_envelope_id: other.envelope_id, statement };
    await reloadOnConflict(() => call("review_duplicate", { params: { envelope_id }, body }), reload);
    onClose();
    await onDone(`Recorded. “${envelope_name}” is evaluated again in a moment.`);
  };
  return (
    <Dialog title="Record a comparison" onClose={onClose}>
      <Form sending={sending} onSend={record}>
        <p>
          “{envelope_name}” and <Link to={`/vault/${other.envelope_id}`}>“{other.envelope_name}”</Link> (
          {stateWords(other.state).toLowerCase()}) have in common: {inCommon(pair)}. Open both and compare them.
        </p>
        <AreaField
          label="What did you compare, and what did you find?"
          name="statement"
          value={statement}
          onText={setStatement}
          maxLength={2_000}
          sending={sending}
          hint="Your name and this statement go into the audit trail. Someone who deposited this record cannot review it."
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Record comparison</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
