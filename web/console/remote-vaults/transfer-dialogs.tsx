import type { VaultTransfer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { type CustomerChoice, CustomerField, customerOf } from "../vault/customer-choice.tsx";
import { usePeople } from "../vault/people.ts";

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
    const { customer_id } = await customerOf(customer);
    const body = { customer_id, custodian_user_id };
    await reloadOnConflict(() => call("accept_vault_transfer", { params: { transfer_id }, body }), reload);
    onClose();
    await onDone(`“${envelope_name}” was accepted. ${vault_name} now packs it, and it is verified here before it is released.`);
  };
  return (
    <Dialog title="Accept the record?" onClose={onClose}>
      <Form sending={sending} onSend={accept}>
        <p>
          {vault_name} offers “{envelope_name}”. It becomes an original of your organization when {vault_name} releases it.
        </p>
        <CustomerField value={customer} onChange={choose} sending={sending} />
        {isMissing && (
          <p class="error" role="alert">
            Choose a customer or add a new one.
          </p>
        )}
        <SelectField
          label="Custodian"
          name="custodian_user_id"
          value={custodian_user_id}
          choices={people.all.filter(({ role }) => role !== "viewer").map(({ user_id }) => [user_id, people.nameOf(user_id)] as const)}
          onChoice={setCustodian}
          sending={sending}
          hint="Responsible for the original here, and named in its record."
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Accept</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

export function RefuseTransferDialog({ transfer, onDone, reload, onClose }: TransferDialogProps) {
  const { transfer_id, envelope_name, vault_name } = transfer;
  const refuse = async () => {
    await reloadOnConflict(() => call("refuse_vault_transfer", { params: { transfer_id } }), reload);
    await onDone(`“${envelope_name}” was refused. The original stays with ${vault_name}.`);
  };
  return (
    <Confirm title="Refuse the record?" button="Refuse" onConfirm={refuse} onClose={onClose}>
      <p>
        Your organization signs that it does not take “{envelope_name}”. The original stays with {vault_name}, which can offer it again.
      </p>
    </Confirm>
  );
}

export function CancelTransferDialog({ transfer, onDone, reload, onClose }: TransferDialogProps) {
  const { transfer_id, envelope_name, vault_name } = transfer;
  const cancel = async () => {
    await reloadOnConflict(() => call("cancel_vault_transfer", { params: { transfer_id } }), reload);
    await onDone(`The transfer of “${envelope_name}” was cancelled. The original stays in your vault.`);
  };
  return (
    <Confirm title="Cancel the transfer?" button="Cancel transfer" kind="danger" onConfirm={cancel} onClose={onClose}>
      <p>
        The offer of “{envelope_name}” to {vault_name} is taken back, and the original stays in your vault.
      </p>
    </Confirm>
  );
}
