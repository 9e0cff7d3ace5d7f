import type { CreateCustomerRequest, Customer } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { nameOf } from "./api.ts";
import { enteredOf } from "./fields.ts";
import { CustomerDialog } from "./form.tsx";
import { Search } from "./search.tsx";

const LIMIT = 20;

const columns: readonly Column<Customer>[] = [
  { head: "Name", cell: nameOf },
  { head: "E-mail", cell: ({ email }) => email ?? "–" },
  { head: "Company", cell: ({ company }) => company ?? "–" },
  { head: "Client ID", cell: ({ client_id }) => client_id ?? "–" },
  { head: "Updated", cell: ({ updated_at }) => <When at={updated_at} />, minor: true },
];

export function Customers() {
  const q = (query.value.get("q") ?? "").trim();
  const wanted = { q, page: pageOf(), limit: LIMIT };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_customers", { query: wanted }));
  const [isCreating, setCreating] = useState(false);
  const [added, setAdded] = useState<Customer | null>(null);
  const create = async (body: CreateCustomerRequest) => {
    setAdded(await call("create_customer", { body }));
    setCreating(false);
    await loaded.reload();
  };
  const creating = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      New customer
    </button>
  );
  const uploading = (
    <Link to="/customers/upload" class="button">
      Upload file
    </Link>
  );
  const isEmpty = loaded.data?.meta.total === 0 && q === "";
  return (
    <Screen
      title="Customers"
      lead="The people and companies who sign your documents."
      {...(hasRole("member") && !isEmpty && { actions: [uploading, creating] })}
    >
      <RequireRole least="member" to="add or edit customers">
        {null}
      </RequireRole>
      <StatusNotice>
        {added !== null && (
          <>
            {nameOf(added)} was added. <Link to={`/customers/${added.customer_id}`}>Open</Link>
          </>
        )}
      </StatusNotice>
      {!isEmpty && <Search label="Search" hint="Name, e-mail, company or client ID" />}
      <PagedTable
        caption="Customers"
        loaded={loaded}
        columns={columns}
        keyOf={({ customer_id }) => customer_id}
        to={({ customer_id }) => `/customers/${customer_id}`}
        empty={q === "" ? <NoneYet action={hasRole("member") && [creating, uploading]} /> : <NoneFound q={q} />}
      />
      {!isEmpty && <ApiCall operation="list_customers" given={{ query: wanted }} />}
      {isCreating && (
        <CustomerDialog
          title="New customer"
          button="Add customer"
          start={enteredOf({})}
          onSend={create}
          onClose={() => setCreating(false)}
        />
      )}
    </Screen>
  );
}

function NoneYet({ action }: { action: ComponentChildren }) {
  const body = { name: "Ann Example", email: "ann@example.com", client_id: "C-1007" };
  return (
    <Empty title="No customers yet" action={action} curl={<ApiCall operation="create_customer" given={{ body }} open />}>
      A customer is a person or company that signs your documents. Envelopes identify customers by e-mail address; the API can also use your
      own client ID. Add customers one by one, from a CSV file, or through the API.
    </Empty>
  );
}

function NoneFound({ q }: { q: string }) {
  return (
    <section class="empty stack">
      <h2>No matching customers</h2>
      <p class="quiet">No customer matches “{q}”. The search covers name, e-mail address, company and client ID.</p>
      <button type="button" class="button" onClick={() => setQuery({ q: null })}>
        Show all customers
      </button>
    </section>
  );
}
