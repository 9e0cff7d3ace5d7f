import type { AttestationAuthMethod } from "@countersign/client/types";
import { choicesOf } from "../parts/choices.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { en } from "../words/attestation/en.ts";
import { isFilled, noSigner, type SignerForm } from "./attestation.ts";
import type { AttestationFieldsProps } from "./attestation-props.ts";

const w = en.signersFields;

const identified: Record<SignerForm["identified_by"], string> = {
  "": w.notStated,
  known_personally: w.knownPersonally,
  government_id: w.governmentIdentityDocument,
  notary: w.notary,
  witness: w.witness,
  unknown: w.unknown,
};

const methods: Record<AttestationAuthMethod, string> = {
  email_link: w.linkByE,
  access_code: w.accessCode,
  sms: w.codeByText,
  kba: w.identityQuestions,
  sso: w.companySignIn,
  government_id: w.governmentIdentityDocument,
  in_person: w.inPerson,
  unknown: w.unknown,
};

/** The signers and how they were identified. */
export function SignersFields(props: AttestationFieldsProps) {
  const { value, onChange } = props;
  const { signers } = value;
  const put = (index: number, signer: SignerForm) => onChange({ ...value, signers: signers.with(index, signer) });
  return (
    <fieldset class="stack">
      <legend>{w.signers}</legend>
      <p class="quiet small">{w.eachSignerNeeds}</p>
      {signers.map((signer, index) => (
        <Signer key={index} {...props} index={index} signer={signer} put={(changed) => put(index, changed)} />
      ))}
      <div class="buttons">
        <button type="button" class="button" onClick={() => onChange({ ...value, signers: [...signers, noSigner] })}>
          {w.addSigner}
        </button>
      </div>
    </fieldset>
  );
}

interface SignerProps extends AttestationFieldsProps {
  readonly index: number;
  readonly signer: SignerForm;
  readonly put: (signer: SignerForm) => void;
}

function Signer({ index, signer, put, source, value, onChange, sending, at }: SignerProps) {
  const isOne = value.signers.length === 1;
  const field = (name: "name" | "email" | "role" | "signed_on") => ({
    name: `${at}signers[${index}].${name}`,
    value: signer[name],
    onText: (text: string) => put({ ...signer, [name]: text }),
    sending,
  });
  return (
    <fieldset class="signer stack">
      <legend>
        {w.signer}
        {index + 1}
      </legend>
      <div class="columns">
        <TextField label={w.name} {...field("name")} required={isFilled(signer)} maxLength={300} autoComplete="off" />
        <TextField label={w.eMailAddress} {...field("email")} type="email" optional autoComplete="off" />
        <TextField label={w.role} {...field("role")} maxLength={300} optional placeholder={w.buyer} />
        <TextField label={w.signedOn} {...field("signed_on")} type="date" />
      </div>
      {source === "paper_upload" ? (
        <SelectField
          label={w.identifiedBy}
          name={`${at}signers[${index}].identified_by`}
          value={signer.identified_by}
          choices={choicesOf(identified)}
          onChoice={(identified_by) => put({ ...signer, identified_by })}
          sending={sending}
        />
      ) : (
        <Methods signer={signer} put={put} />
      )}
      {!isOne && (
        <div class="buttons">
          <button
            type="button"
            class="button"
            aria-label={w.removeSigner(index + 1)}
            onClick={() => onChange({ ...value, signers: value.signers.filter((_, one) => one !== index) })}
          >
            {w.remove}
          </button>
        </div>
      )}
    </fieldset>
  );
}

function Methods({ signer, put }: Pick<SignerProps, "signer" | "put">) {
  const change = (code: AttestationAuthMethod) =>
    put({
      ...signer,
      auth_methods: signer.auth_methods.includes(code) ? signer.auth_methods.filter((one) => one !== code) : [...signer.auth_methods, code],
    });
  return (
    <fieldset>
      <legend>{w.identifiedBy}</legend>
      <div class="choices">
        {choicesOf(methods).map(([code, words]) => (
          <button key={code} type="button" class="choice" aria-pressed={signer.auth_methods.includes(code)} onClick={() => change(code)}>
            {words}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
