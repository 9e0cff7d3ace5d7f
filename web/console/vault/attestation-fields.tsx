import { choicesOf } from "../parts/choices.ts";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import type { AttestationForm } from "./attestation.ts";
import type { AttestationFieldsProps } from "./attestation-props.ts";
import { SignersFields } from "./signers-fields.tsx";

/** What is known about the signing. Each question names its check; all of them may be left open. */
export function AttestationFields(props: AttestationFieldsProps) {
  const { source, value, onChange, sending, at } = props;
  const { by } = value;
  return (
    <>
      <fieldset class="stack">
        <legend>Attesting person</legend>
        <p class="quiet small">Without a name there is no attestation, and the answers below do not count.</p>
        <div class="columns">
          <TextField
            label="Name of the attesting person"
            name={`${at}attested_by.name`}
            value={by.name}
            onText={(name) => onChange({ ...value, by: { ...by, name } })}
            maxLength={300}
            sending={sending}
          />
          <TextField
            label="Title"
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
  "": "Not stated",
  destroyed: "It was destroyed",
  marked_as_copy: "It was marked as a copy",
  retained: "It is kept unchanged",
};

function PaperFields({ value, onChange, sending, at }: AttestationFieldsProps) {
  const { paper } = value;
  const put = (changes: Partial<AttestationForm["paper"]>) => onChange({ ...value, paper: { ...paper, ...changes } });
  return (
    <fieldset class="stack">
      <legend>Paper original</legend>
      <Checkbox
        label="It was signed in ink"
        checked={paper.ink_signed}
        onCheck={(ink_signed) => put({ ink_signed })}
        hint="Ink replaces consent to electronic records (checks 4 and 5)."
      />
      <Checkbox
        label="All signatures are present"
        checked={paper.all_signatures_present}
        onCheck={(all_signatures_present) => put({ all_signatures_present })}
        hint="A document that is missing a signature is not an original (check 4)."
      />
      <TextField
        label="Number of paper pages"
        name={`${at}paper.page_count`}
        type="number"
        min={1}
        value={paper.page_count}
        onText={(page_count) => put({ page_count })}
        sending={sending}
        hint="Counted on the paper. If the scan has a different number, a page is missing (check 4)."
      />
      <SelectField
        label="What happened to the paper"
        name={`${at}paper.original_disposition`}
        value={paper.original_disposition}
        choices={choicesOf(dispositions)}
        onChoice={(original_disposition) => put({ original_disposition })}
        sending={sending}
        hint="As long as the paper could still be presented as the original, there are two originals (check 1). Only state what happened. You do not have to destroy anything."
      />
      <div class="columns">
        <TextField
          label="When it happened"
          name={`${at}paper.disposition_on`}
          type="date"
          value={paper.disposition_on}
          onText={(disposition_on) => put({ disposition_on })}
          sending={sending}
          hint="Not in the future (check 1)."
        />
        <TextField
          label="Who did it"
          name={`${at}paper.disposition_by`}
          value={paper.disposition_by}
          onText={(disposition_by) => put({ disposition_by })}
          maxLength={300}
          sending={sending}
          hint="A person who can be asked about it (check 1)."
        />
      </div>
    </fieldset>
  );
}

const priorCopies: Record<AttestationForm["external"]["prior_copy_status"], string> = {
  "": "Not stated",
  none_existed: "There was none",
  exported_with_acknowledgment: "It was exported, and the export was acknowledged",
  marked_as_copy: "It was marked as a copy",
  unknown: "Unknown",
};

function ExternalFields({ value, onChange, sending, at }: AttestationFieldsProps) {
  const { external } = value;
  const put = (changes: Partial<AttestationForm["external"]>) => onChange({ ...value, external: { ...external, ...changes } });
  return (
    <fieldset class="stack">
      <legend>Signing service</legend>
      <div class="columns">
        <TextField
          label="Service"
          name={`${at}external.provider`}
          value={external.provider}
          onText={(provider) => put({ provider })}
          maxLength={300}
          sending={sending}
          hint="Whom readers of the certificate can ask."
        />
        <TextField
          label="Transaction ID"
          name={`${at}external.transaction_id`}
          value={external.transaction_id}
          onText={(transaction_id) => put({ transaction_id })}
          maxLength={300}
          sending={sending}
          hint="Identifies this signing at that service."
        />
      </div>
      <Checkbox
        label="The service recorded every signer’s consent to electronic records"
        checked={external.consent_confirmed}
        onCheck={(consent_confirmed) => put({ consent_confirmed })}
        hint="Consent must come before the signature and cannot be given later (check 5)."
      />
      <SelectField
        label="Authoritative copy at that service"
        name={`${at}external.prior_copy_status`}
        value={external.prior_copy_status}
        choices={choicesOf(priorCopies)}
        onChoice={(prior_copy_status) => put({ prior_copy_status })}
        sending={sending}
        hint="Two vaults cannot both hold the original (check 1)."
      />
      <TextField
        label="SHA-256 stated by the service"
        name={`${at}external.document_sha256`}
        value={external.document_sha256}
        onText={(document_sha256) => put({ document_sha256 })}
        optional
        autoComplete="off"
        sending={sending}
        hint="Shows that the file is unchanged if the PDF has no signature of its own (check 2)."
      />
    </fieldset>
  );
}
