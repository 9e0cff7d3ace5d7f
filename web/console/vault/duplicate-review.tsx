import type { FingerprintKind, PossibleDuplicate } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/duplicates/en.ts";
import { stateWords } from "./words.tsx";

const w = en.duplicateReview;

const kinds: Record<FingerprintKind, string> = {
  file: w.theSameFile,
  revision: w.theSameFileWith,
  ours: w.madeFromThe,
  text: w.theSameWords,
  instrument: w.theSameInstrument,
  pdf_id: w.theSamePdf,
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
    await onDone(w.recordedIsEvaluated(envelope_name));
  };
  return (
    <Dialog title={w.recordAComparison} onClose={onClose}>
      <Form sending={sending} onSend={record}>
        <p>
          {w.and(envelope_name)}
          <Link to={`/vault/${other.envelope_id}`}>“{other.envelope_name}”</Link>
          {w.haveInCommon(stateWords(other.state).toLowerCase(), inCommon(pair))}
        </p>
        <AreaField
          label={w.whatDidYou}
          name="statement"
          required
          value={statement}
          onText={setStatement}
          maxLength={2_000}
          sending={sending}
          hint={w.yourNameAnd}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {w.cancel}
          </button>
          <SubmitButton sending={sending}>{w.recordComparison}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
