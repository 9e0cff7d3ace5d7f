import type { Customer, FormerCustomer, MergedCustomers, UpdateCustomerRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { navigate } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/customers/en.ts";
import { nameOf } from "./api.ts";
import { CustomersEnvelopes } from "./envelopes.tsx";
import { type CustomerField, enteredOf, labels, mainFields, moreGroups } from "./fields.ts";
import { CustomerDialog } from "./form.tsx";
import { justDeleted } from "./just-deleted.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import { CustomerMenu, DeleteDialog } from "./row-actions.tsx";

export function CustomerScreen({ params: { customer_id = "" } }: ScreenProps) {
  const params = { customer_id };
  const loaded = useLoad(customer_id, () => call("get_customer", { params }));
  const [isEditing, setEditing] = useState(false);
  const [asking, setAsking] = useState<"merge" | "delete" | null>(null);
  // The list of envelopes is loaded again after a merge.
  const [moves, setMoves] = useState(0);
  const above = <Link to="/customers">{words.title}</Link>;
  const customer = loaded.data;
  if (customer === null) {
    return (
      <Screen title={words.one} above={above}>
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        {loaded.isSlow && <Skeleton />}
      </Screen>
    );
  }
  const save = async (body: UpdateCustomerRequest) => {
    loaded.put(await call("update_customer", { params, body }));
    setEditing(false);
    showToast(words.saved);
  };
  const merged = ({ customer: now, envelopes_moved }: MergedCustomers, duplicate: Customer) => {
    loaded.put(now);
    setMoves((count) => count + 1);
    showToast(words.merge.done(nameOf(duplicate), envelopes_moved));
  };
  const deleted = () => {
    justDeleted.value = nameOf(customer);
    navigate("/customers", { replace: true });
  };
  const edit = () => {
    setEditing(true);
  };
  return (
    <Screen
      title={nameOf(customer)}
      above={above}
      {...(may("customers:write") && { actions: <Actions of={customer} onEdit={edit} onAsk={setAsking} /> })}
    >
      <RequirePermission needs="customers:write" to={words.toSend}>
        {null}
      </RequirePermission>
      <Card title={words.details}>
        <Facts facts={factsOf(customer)} />
      </Card>
      <Merged key={`merged ${customer.customer_id} ${moves}`} customer_id={customer.customer_id} />
      <CustomersEnvelopes key={`${customer.customer_id} ${moves}`} customer_id={customer.customer_id} />
      <ApiCall operation="get_customer" given={{ params }} />
      {isEditing && (
        <CustomerDialog
          title={words.editTitle}
          button={words.save}
          start={enteredOf(customer)}
          onSend={save}
          onClose={() => setEditing(false)}
        />
      )}
      {asking === "merge" && <MergeDialog customer={customer} onMerged={merged} onClose={() => setAsking(null)} />}
      {asking === "delete" && <DeleteDialog customer={customer} onDeleted={deleted} onClose={() => setAsking(null)} />}
    </Screen>
  );
}

/** Which customers were merged into this one. Nothing if there are none. */
function Merged({ customer_id }: { customer_id: string }) {
  const page = pageOf("merged");
  const loaded = useLoad(`merged ${page}`, () => list("list_merged_customers", { params: { customer_id }, query: { page, limit: 10 } }));
  if (loaded.error === null && (loaded.data === null || loaded.data.meta.total === 0)) return null;
  return (
    <Card title={words.merged.title}>
      <p class="quiet">{words.merged.lead}</p>
      <PagedTable
        loaded={loaded}
        caption={words.merged.title}
        columns={mergedColumns}
        keyOf={(former) => former.customer_id}
        pageName="merged"
        empty={null}
      />
    </Card>
  );
}

const mergedColumns: readonly Column<FormerCustomer>[] = [
  { head: words.columns.name, cell: (former) => former.name ?? words.none },
  { head: words.columns.email, cell: ({ email }) => email ?? words.none },
  { head: words.columns.client_id, cell: ({ client_id }) => client_id ?? words.none },
  { head: words.facts.id, cell: (former) => <span class="mono">{former.customer_id}</span>, minor: true },
  { head: words.merged.at, cell: ({ merged_at }) => <When at={merged_at} /> },
];

interface ActionsProps {
  readonly of: Customer;
  readonly onEdit: () => void;
  readonly onAsk: (act: "merge" | "delete") => void;
}

function Actions({ of, onEdit, onAsk }: ActionsProps) {
  return (
    <>
      <CustomerMenu customer={of} words={words.more} onMerge={() => onAsk("merge")} onDelete={() => onAsk("delete")} />
      <button type="button" class="button" onClick={onEdit}>
        {words.edit}
      </button>
      <Link to={`/envelopes/new?customer=${of.customer_id}`} class="button primary">
        {words.newEnvelope}
      </Link>
    </>
  );
}

/** The main fields always, the others only if they have a value. */
function factsOf(customer: Customer) {
  const more = moreGroups.flatMap(([, fields]) => fields).filter((field) => customer[field] !== null);
  return [
    ...[...mainFields, ...more].map((field) => [labels[field], shown(customer, field)] as const),
    [words.facts.id, <span class="mono">{customer.customer_id}</span>],
    [words.facts.added, <When at={customer.created_at} />],
    [words.facts.updated, <When at={customer.updated_at} />],
  ] as const;
}

function shown(customer: Customer, field: CustomerField) {
  const value = customer[field];
  if (value === null) return <span class="quiet">{words.none}</span>;
  if (field !== "website_url" || !/^https?:\/\//i.test(value)) return value;
  return (
    <a href={value} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  );
}
