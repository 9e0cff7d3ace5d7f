import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { noParty, PartyFields, type PartyForm, partyOf } from "../vault/party-fields.tsx";
import { en as words } from "../words/checks/en.ts";

export interface NamePartyProps {
  readonly envelope_id: string;
  /** runs the checks again, where there are some, and returns what was found in words */
  readonly onCheck?: () => Promise<string>;
  readonly onNamed: (message: string) => Promise<unknown>;
}

/** Names the secured party, then runs the checks again. If only the checks fail, the dialog says so and tries only those again. */
export function PartyDialog({ envelope_id, onCheck, onNamed, onClose }: NamePartyProps & { readonly onClose: () => void }) {
  const sending = useSending();
  const [party, setParty] = useState(noParty);
  const [isNamed, setNamed] = useState(false);
  const message = words.partyNamed(party.name.trim());
  const name = async () => {
    if (!isNamed) await designate(envelope_id, party);
    setNamed(true);
    const found = (await onCheck?.()) ?? "";
    await onNamed(found === "" ? message : `${message} ${found}`);
    onClose();
  };
  const close = () => {
    onClose();
    if (isNamed) void onNamed(message);
  };
  return (
    <Dialog title={words.nameParty} onClose={close}>
      <Form sending={sending} onSend={name} wide>
        {isNamed ? (
          <p class="notice" role="status">
            {sending.isBusy ? words.partyChecking(party.name.trim()) : words.partyUnchecked(party.name.trim())}
          </p>
        ) : (
          <>
            <p class="quiet">{words.partyLead}</p>
            <PartyFields value={party} onChange={setParty} sending={sending} at="" />
          </>
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>
            {isNamed ? words.close : words.cancel}
          </button>
          <SubmitButton sending={sending}>{isNamed ? words.checkAgain : words.nameParty}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

async function designate(envelope_id: string, form: PartyForm): Promise<void> {
  const params = { envelope_id };
  const party = partyOf(form);
  try {
    await call("designate_secured_party", { params, body: party });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    // An earlier attempt, whose answer was lost, may have named this party.
    const known = (await call("get_envelope", { params })).metadata.secured_party;
    const isSame = known !== null && Object.entries(party).every(([member, value]) => known[member as keyof typeof known] === value);
    if (!isSame) throw error;
  }
}
