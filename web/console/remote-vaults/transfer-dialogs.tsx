import type { VaultTransfer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { type CustomerChoice, CustomerField, customerOf } from "../vault/customer-choice.tsx";
import { usePeople } from "../vault/people.ts";
import { en } from "../words/remote-vaults/en.ts";

const w = en.transferDialogs;

interface TransferDialogProps {
  readonly transfer: VaultTransfer;
  readonly onDone: (words: string) => Promise<void>;
  /** reloads the list: the other vault may have ended the transfer in the meantime */
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

/** Names the customer that the record will belong to, and its custodian. */
export function AcceptTransferDialog({ transfer, onDone, reload, onClose }: TransferDialogProps) {
  const { transfer_id, envelope_name, vault_name } = transfer;
  const sending = useSending();
  const people = usePeople();
  const [customer, setCustomer] = useState<CustomerChoice | null>(null);
  const [custodian_user_id, setCustodian] = useState<string>(me().user.user_id);
  const [isMissing, setMissing] = useState(false);
  const choose = (choice: CustomerChoice | null) => {
    setCustomer(choice);
    setMissing(false);
  };
  const accept = async () => {
    if (customer === null) return void setMissing(true);
    const known = await customerOf(customer);
    // A new customer is created once, also if the answer about the record is lost.
    setCustomer({ kind: "known", customer: known });
    const body = { customer_id: known.customer_id, custodian_user_id };
    await reloadOnConflict(() => call("accept_vault_transfer", { params: { transfer_id }, body }), reload);
    onClose();
    await onDone(w.wasAcceptedNow(envelope_name, vault_name));
  };
  return (
    <Dialog title={w.acceptTheRecord} onClose={onClose}>
      <Form sending={sending} onSend={accept}>
        <p>{w.offersItBecomes(vault_name, envelope_name, vault_name)}</p>
        <CustomerField value={customer} onChange={choose} sending={sending} />
        {isMissing && (
          <p class="error" role="alert">
            {w.chooseACustomer}
          </p>
        )}
        <SelectField
          label={w.custodian}
          name="custodian_user_id"
          value={custodian_user_id}
          choices={people.all.filter(({ role }) => role !== "viewer").map(({ user_id }) => [user_id, people.nameOf(user_id)] as const)}
          onChoice={setCustodian}
          sending={sending}
          hint={w.responsibleForThe}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {w.cancel}
          </button>
          <SubmitButton sending={sending}>{w.accept}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

export function RefuseTransferDialog({ transfer, onDone, reload, onClose }: TransferDialogProps) {
  const { transfer_id, envelope_name, vault_name } = transfer;
  const refuse = async () => {
    await reloadOnConflict(() => call("refuse_vault_transfer", { params: { transfer_id } }), reload);
    await onDone(w.wasRefusedThe(envelope_name, vault_name));
  };
  return (
    <Confirm title={w.refuseTheRecord} button={w.refuse} onConfirm={refuse} onClose={onClose}>
      <p>{w.yourOrganizationSigns(envelope_name, vault_name)}</p>
    </Confirm>
  );
}

export function CancelTransferDialog({ transfer, onDone, reload, onClose }: TransferDialogProps) {
  const { transfer_id, envelope_name, vault_name } = transfer;
  const cancel = async () => {
    await reloadOnConflict(() => call("cancel_vault_transfer", { params: { transfer_id } }), reload);
    await onDone(w.theTransferOf(envelope_name));
  };
  return (
    <Confirm title={w.cancelTheTransfer} button={w.cancelTransfer} kind="danger" onConfirm={cancel} onClose={onClose}>
      <p>{w.theOfferOf(envelope_name, vault_name)}</p>
    </Confirm>
  );
}
