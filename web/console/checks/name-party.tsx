import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { noParty, PartyFields, partyOf } from "../vault/party-fields.tsx";
import { en as words } from "../words/checks/en.ts";

interface NamePartyProps {
  readonly envelope_id: string;
  readonly onNamed: (message: string) => Promise<unknown>;
}

/** The remedy of the last check: a button that opens the form. */
export function NameParty({ envelope_id, onNamed }: NamePartyProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button primary" onClick={() => setOpen(true)}>
        {words.nameParty}
      </button>
      {isOpen && <PartyDialog envelope_id={envelope_id} onNamed={onNamed} onClose={() => setOpen(false)} />}
    </>
  );
}

function PartyDialog({ envelope_id, onNamed, onClose }: NamePartyProps & { readonly onClose: () => void }) {
  const sending = useSending();
  const [party, setParty] = useState(noParty);
  const name = async () => {
    await call("designate_secured_party", { params: { envelope_id }, body: partyOf(party) });
    onClose();
    await onNamed(words.partyNamed(party.name.trim()));
  };
  return (
    <Dialog title={words.nameParty} onClose={onClose}>
      <Form sending={sending} onSend={name} wide>
        <p class="quiet">{words.partyLead}</p>
        <PartyFields value={party} onChange={setParty} sending={sending} at="" />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending}>{words.nameParty}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
