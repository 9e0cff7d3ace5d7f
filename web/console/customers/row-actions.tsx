import type { Customer } from "@countersign/client/types";
import { call } from "../api.ts";
import { Confirm } from "../parts/confirm.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { en } from "../words/customers/en.ts";
import { nameOf } from "./api.ts";

interface CustomerMenuProps {
  readonly customer: Customer;
  /** beside those that every customer has */
  readonly items?: readonly MenuItem[];
  readonly words?: string;
  readonly onMerge: () => void;
  readonly onDelete: () => void;
}

export function CustomerMenu({ customer, items = [], words, onMerge, onDelete }: CustomerMenuProps) {
  const all: readonly MenuItem[] = [
    ...items,
    { words: en.merge.item, icon: "people", onPress: onMerge },
    { words: en.delete.item, icon: "cross", danger: true, onPress: onDelete },
  ];
  return <RowMenu label={en.actionsFor(nameOf(customer))} items={all} {...(words !== undefined && { words })} />;
}

interface DeleteDialogProps {
  readonly customer: Customer;
  readonly onDeleted: () => unknown;
  readonly onClose: () => void;
}

/** If a document needs the customer, the service says which, and the dialog stays. */
export function DeleteDialog({ customer, onDeleted, onClose }: DeleteDialogProps) {
  const remove = async () => {
    await call("delete_customer", { params: { customer_id: customer.customer_id } });
    await onDeleted();
  };
  return (
    <Confirm title={en.delete.title} button={en.delete.button} kind="danger" onConfirm={remove} onClose={onClose}>
      <p>{en.delete.text(nameOf(customer))}</p>
    </Confirm>
  );
}
