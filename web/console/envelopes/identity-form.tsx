import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { authenticationOf, type Identity, identityOf, lacksCode, noIdentity } from "../prepare/identity.ts";
import { IdentityField } from "../prepare/identity-field.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/identity-check/en.ts";
import type { RecipientDialogProps } from "./recipient-actions.ts";

/** Replaces the codes that are required of a person who has not acted yet, for example because the access code is forgotten. */
export function IdentityForm({ envelope_id, recipient, onDone, onClose }: RecipientDialogProps) {
  const sending = useSending();
  const [chosen, setChosen] = useState<Identity | null>(null);
  const [isChecked, setChecked] = useState(false);
  // Only of people who sign.
  const { data } = useLoad("signers", () => call("list_signers", { params: { envelope_id } }));
  const required = data?.signers.find(({ slug }) => slug === recipient.slug)?.authentication;
  // What is required now stays chosen, so that pressing the button at once takes nothing away. An access code must be entered again.
  const identity = chosen ?? (required === undefined ? null : identityOf(required));
  const set = async () => {
    setChecked(true);
    if (identity === null || lacksCode(identity)) return;
    const body = { authentication: authenticationOf(identity) };
    await call("set_signer_identity", { params: { envelope_id, slug: recipient.slug }, body });
    onClose();
    await onDone(words.done(recipient.name));
  };
  return (
    <Form sending={sending} onSend={set}>
      {required !== undefined && <p>{words.required(required.map(({ method }) => words.methods[method]))}</p>}
      <p class="quiet">{words.replaces}</p>
      <IdentityField
        name="authentication"
        value={identity ?? noIdentity}
        isUnchosen={identity === null}
        onChange={setChosen}
        isChecked={isChecked}
        errorOf={(place) => sending.errorOf(`authentication${place}`)}
      />
      <div class="buttons end">
        <SubmitButton sending={sending}>{words.set}</SubmitButton>
      </div>
    </Form>
  );
}
