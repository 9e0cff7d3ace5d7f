import type { CreateCustomerRequest, Customer, MergedCustomers } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { navigate, query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/customers/en.ts";
import { nameOf } from "./api.ts";
import { enteredOf } from "./fields.ts";
import { CustomerDialog } from "./form.tsx";
import { justDeleted } from "./just-deleted.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import { CustomerMenu, DeleteDialog } from "./row-actions.tsx";
import { Search } from "./search.tsx";

const LIMIT = 20;

const columns: readonly Column<Customer>[] = [
  { head: words.columns.name, cell: nameOf },
  { head: words.columns.email, cell: ({ email }) => <span class="address">{email ?? words.none}</span> },
  { head: words.columns.company, cell: ({ company }) => company ?? words.none },
  { head: words.columns.client_id, cell: ({ client_id }) => client_id ?? words.none },
  { head: words.columns.updated, cell: ({ updated_at }) => <When at={updated_at} />, minor: true },
];

export function Customers() {
  const q = (query.value.get("q") ?? "").trim();
  const wanted = { q, page: pageOf(), limit: LIMIT };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_customers", { query: wanted }));
  const [isCreating, setCreating] = useState(false);
  const create = async (body: CreateCustomerRequest) => {
    const added = await call("create_customer", { body });
    setCreating(false);
    showToast(
      words.added(nameOf(added)),
      <Link to={`/customers/${added.customer_id}`} class="button">
        {words.open}
      </Link>,
    );
    await loaded.reload();
  };
  const [merging, setMerging] = useState<Customer | null>(null);
  const [deleting, setDeleting] = useState<Customer | null>(null);
  useEffect(() => {
    const deleted = justDeleted.peek();
    if (deleted !== null) showToast(words.delete.done(deleted));
    justDeleted.value = null;
  }, []);
  const done = async (text: string) => {
    showToast(text);
    await loaded.reload();
  };
  const merged = ({ envelopes_moved }: MergedCustomers, duplicate: Customer) =>
    void done(words.merge.done(nameOf(duplicate), envelopes_moved));
  const menu = (customer: Customer) => (
    <CustomerMenu
      customer={customer}
      items={[
        { words: words.open, icon: "eye", onPress: () => navigate(`/customers/${customer.customer_id}`) },
        { words: words.newEnvelope, icon: "send", onPress: () => navigate(`/envelopes/new?customer=${customer.customer_id}`) },
      ]}
      onMerge={() => setMerging(customer)}
      onDelete={() => setDeleting(customer)}
    />
  );
  const creating = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  );
  const uploading = (
    <Link to="/customers/upload" class="button">
      {words.upload}
    </Link>
  );
  const isEmpty = loaded.data?.meta.total === 0 && q === "";
  return (
    <Screen title={words.title} lead={words.lead} {...(may("customers:write") && !isEmpty && { actions: [uploading, creating] })}>
      <RequirePermission needs="customers:write" to={words.toEdit}>
        {null}
      </RequirePermission>
      {!isEmpty && <Search label={words.search} hint={words.searchHint} />}
      <PagedTable
        caption={words.title}
        loaded={loaded}
        columns={columns}
        keyOf={({ customer_id }) => customer_id}
        to={({ customer_id }) => `/customers/${customer_id}`}
        {...(may("customers:write") && { menu })}
        empty={q === "" ? <NoneYet action={may("customers:write") && [creating, uploading]} /> : <NoneFound q={q} />}
      />
      {!isEmpty && <ApiCall operation="list_customers" given={{ query: wanted }} />}
      {isCreating && (
        <CustomerDialog title={words.create} button={words.add} start={enteredOf({})} onSend={create} onClose={() => setCreating(false)} />
      )}
      {merging !== null && <MergeDialog customer={merging} onMerged={merged} onClose={() => setMerging(null)} />}
      {deleting !== null && (
        <DeleteDialog customer={deleting} onDeleted={() => done(words.delete.done(nameOf(deleting)))} onClose={() => setDeleting(null)} />
      )}
    </Screen>
  );
}

function NoneYet({ action }: { action: ComponentChildren }) {
  const body = { name: "Ann Example", email: "ann@example.com", client_id: "C-1007" };
  return (
    <Empty title={words.empty.title} action={action} curl={<ApiCall operation="create_customer" given={{ body }} open />}>
      {words.empty.text}
    </Empty>
  );
}

function NoneFound({ q }: { q: string }) {
  return (
    <section class="empty stack">
      <h2>{words.noMatch.title}</h2>
      <p class="quiet">{words.noMatch.text(q)}</p>
      <button type="button" class="button" onClick={() => setQuery({ q: null })}>
        {words.noMatch.showAll}
      </button>
    </section>
  );
}
