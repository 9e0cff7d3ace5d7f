import { choicesOf } from "../parts/choices.ts";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { en } from "../words/attestation/en.ts";
import { type AttestationForm, isStated } from "./attestation.ts";
import type { AttestationFieldsProps } from "./attestation-props.ts";
import { SignersFields } from "./signers-fields.tsx";

const w = en.attestationFields;

/** What is known about the signing. Each question names its check; all of them may be left open. */
export function AttestationFields(props: AttestationFieldsProps) {
  const { source, value, onChange, sending, at, isRequired = false } = props;
  const { by } = value;
  return (
    <>
      <fieldset class="stack">
        <legend>{w.attestingPerson}</legend>
        <p class="quiet small">{w.withoutAName}</p>
        <div class="columns">
          <TextField
            label={w.nameOfThe}
            name={`${at}attested_by.name`}
            value={by.name}
            onText={(name) => onChange({ ...value, by: { ...by, name } })}
            maxLength={300}
            required={isRequired || isStated(value)}
            sending={sending}
          />
          <TextField
            label={w.title}
            name={`${at}attested_by.title`}
            value={by.title}
            onText={(title) => onChange({ ...value, by: { ...by, title } })}
            maxLength={300}
            optional
            sending={sending}
          />
        </div>
      </fieldset>
      <SignersFields {...props} />
      {source === "paper_upload" ? <PaperFields {...props} /> : <ExternalFields {...props} />}
    </>
  );
}

const dispositions: Record<AttestationForm["paper"]["original_disposition"], string> = {
  "": w.notStated,
  destroyed: w.itWasDestroyed,
  marked_as_copy: w.itWasMarked,
  retained: w.itIsKept,
};

function PaperFields({ value, onChange, sending, at }: AttestationFieldsProps) {
  const { paper } = value;
  const put = (changes: Partial<AttestationForm["paper"]>) => onChange({ ...value, paper: { ...paper, ...changes } });
  return (
    <fieldset class="stack">
      <legend>{w.paperOriginal}</legend>
      <Checkbox
        label={w.itWasSigned}
        checked={paper.ink_signed}
        onCheck={(ink_signed) => put({ ink_signed })}
        hint={w.inkReplacesConsent}
      />
      <Checkbox
        label={w.allSignaturesAre}
        checked={paper.all_signatures_present}
        onCheck={(all_signatures_present) => put({ all_signatures_present })}
        hint={w.aDocumentThat}
      />
      <TextField
        label={w.numberOfPaper}
        name={`${at}paper.page_count`}
        type="number"
        min={1}
        value={paper.page_count}
        onText={(page_count) => put({ page_count })}
        sending={sending}
        hint={w.countedOnThe}
      />
      <SelectField
        label={w.whatHappenedTo}
        name={`${at}paper.original_disposition`}
        value={paper.original_disposition}
        choices={choicesOf(dispositions)}
        onChoice={(original_disposition) => put({ original_disposition })}
        sending={sending}
        hint={w.asLongAs}
      />
      <div class="columns">
        <TextField
          label={w.whenItHappened}
          name={`${at}paper.disposition_on`}
          type="date"
          value={paper.disposition_on}
          onText={(disposition_on) => put({ disposition_on })}
          sending={sending}
          hint={w.notInThe}
        />
        <TextField
          label={w.whoDidIt}
          name={`${at}paper.disposition_by`}
          value={paper.disposition_by}
          onText={(disposition_by) => put({ disposition_by })}
          maxLength={300}
          sending={sending}
          hint={w.aPersonWho}
        />
      </div>
    </fieldset>
  );
}

const priorCopies: Record<AttestationForm["external"]["prior_copy_status"], string> = {
  "": w.notStated,
  none_existed: w.thereWasNone,
  exported_with_acknowledgment: w.itWasExported,
  marked_as_copy: w.itWasMarked,
  unknown: w.unknown,
};

function ExternalFields({ value, onChange, sending, at }: AttestationFieldsProps) {
  const { external } = value;
  const put = (changes: Partial<AttestationForm["external"]>) => onChange({ ...value, external: { ...external, ...changes } });
  return (
    <fieldset class="stack">
      <legend>{w.signingService}</legend>
      <div class="columns">
        <TextField
          label={w.service}
          name={`${at}external.provider`}
          value={external.provider}
          onText={(provider) => put({ provider })}
          maxLength={300}
          sending={sending}
          hint={w.whomReadersOf}
        />
        <TextField
          label={w.transactionId}
          name={`${at}external.transaction_id`}
          value={external.transaction_id}
          onText={(transaction_id) => put({ transaction_id })}
          maxLength={300}
          sending={sending}
          hint={w.identifiesThisSigning}
        />
      </div>
      <Checkbox
        label={w.theServiceRecorded}
        checked={external.consent_confirmed}
        onCheck={(consent_confirmed) => put({ consent_confirmed })}
        hint={w.consentMustCome}
      />
      <SelectField
        label={w.authoritativeCopyAt}
        name={`${at}external.prior_copy_status`}
        value={external.prior_copy_status}
        choices={choicesOf(priorCopies)}
        onChoice={(prior_copy_status) => put({ prior_copy_status })}
        sending={sending}
        hint={w.twoVaultsCannot}
      />
      <TextField
        label={w.sha256Stated}
        name={`${at}external.document_sha256`}
        value={external.document_sha256}
        onText={(document_sha256) => put({ document_sha256 })}
        optional
        autoComplete="off"
        sending={sending}
        hint={w.showsThatThe}
      />
    </fieldset>
  );
}
