import type { AttestationAuthMethod } from "@countersign/client/types";
import { choicesOf } from "../parts/choices.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { noSigner, type SignerForm } from "./attestation.ts";
import type { AttestationFieldsProps } from "./attestation-props.ts";

const identified: Record<SignerForm["identified_by"], string> = {
  "": "Not stated",
  known_personally: "Known personally",
  government_id: "Government identity document",
  notary: "Notary",
  witness: "Witness",
  unknown: "Unknown",
};

const methods: Record<AttestationAuthMethod, string> = {
  email_link: "Link by e-mail",
  access_code: "Access code",
  sms: "Code by text message",
  kba: "Identity questions",
  sso: "Company sign-in (SSO)",
  government_id: "Government identity document",
  in_person: "In person",
  unknown: "Unknown",
};

/** The signers and how they were identified. */
export function SignersFields(props: AttestationFieldsProps) {
  const { value, onChange } = props;
  const { signers } = value;
  const put = (index: number, signer: SignerForm) => onChange({ ...value, signers: signers.with(index, signer) });
  return (
    <fieldset class="stack">
      <legend>Signers</legend>
      <p class="quiet small">Each signer needs a name and a signing date (check 4), and how they were identified (check 5).</p>
      {signers.map((signer, index) => (
        <Signer key={index} {...props} index={index} signer={signer} put={(changed) => put(index, changed)} />
      ))}
      <div class="buttons">
        <button type="button" class="button" onClick={() => onChange({ ...value, signers: [...signers, noSigner] })}>
          Add signer
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
      <legend>Signer {index + 1}</legend>
      <div class="columns">
        <TextField label="Name" {...field("name")} maxLength={300} autoComplete="off" />
        <TextField label="E-mail address" {...field("email")} type="email" optional autoComplete="off" />
        <TextField label="Role" {...field("role")} maxLength={300} optional placeholder="Buyer" />
        <TextField label="Signed on" {...field("signed_on")} type="date" />
      </div>
      {source === "paper_upload" ? (
        <SelectField
          label="Identified by"
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
            aria-label={`Remove signer ${index + 1}`}
            onClick={() => onChange({ ...value, signers: value.signers.filter((_, one) => one !== index) })}
          >
            Remove
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
      <legend>Identified by</legend>
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
