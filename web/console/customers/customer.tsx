import type { Customer, UpdateCustomerRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { nameOf } from "./api.ts";
import { CustomersEnvelopes } from "./envelopes.tsx";
import { type CustomerField, enteredOf, labels, mainFields, moreGroups } from "./fields.ts";
import { CustomerDialog } from "./form.tsx";

export function CustomerScreen({ params: { customer_id = "" } }: ScreenProps) {
  const params = { customer_id };
  const loaded = useLoad(customer_id, () => call("get_customer", { params }));
  const [isEditing, setEditing] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const above = <Link to="/customers">Customers</Link>;
  const customer = loaded.data;
  if (customer === null) {
    return (
      <Screen title="Customer" above={above}>
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        {loaded.isSlow && <Skeleton />}
      </Screen>
    );
  }
  const save = async (body: UpdateCustomerRequest) => {
    loaded.put(await call("update_customer", { params, body }));
    setEditing(false);
    setSaved(true);
  };
  const edit = () => {
    setSaved(false);
    setEditing(true);
  };
  return (
    <Screen title={nameOf(customer)} above={above} {...(hasRole("member") && { actions: <Actions of={customer} onEdit={edit} /> })}>
      <RequireRole least="member" to="edit customers or send them documents">
        {null}
      </RequireRole>
      <StatusNotice>{isSaved && "Saved."}</StatusNotice>
      <Card title="Details">
        <Facts facts={factsOf(customer)} />
      </Card>
      <CustomersEnvelopes customer_id={customer_id} />
      <ApiCall operation="get_customer" given={{ params }} />
      {isEditing && (
        <CustomerDialog title="Edit customer" button="Save" start={enteredOf(customer)} onSend={save} onClose={() => setEditing(false)} />
      )}
    </Screen>
  );
}

function Actions({ of, onEdit }: { of: Customer; onEdit: () => void }) {
  return (
    <>
      <button type="button" class="button" onClick={onEdit}>
        Edit
      </button>
      <Link to={`/envelopes/new?customer=${of.customer_id}`} class="button primary">
        New envelope
      </Link>
    </>
  );
}

/** The main fields always, the others only if they have a value. */
function factsOf(customer: Customer) {
  const more = moreGroups.flatMap(([, fields]) => fields).filter((field) => customer[field] !== null);
  return [
    ...[...mainFields, ...more].map((field) => [labels[field], shown(customer, field)] as const),
    ["Customer ID", <span class="mono">{customer.customer_id}</span>],
    ["Added", <When at={customer.created_at} />],
    ["Updated", <When at={customer.updated_at} />],
  ] as const;
}

function shown(customer: Customer, field: CustomerField) {
  const value = customer[field];
  if (value === null) return <span class="quiet">–</span>;
  if (field !== "website_url" || !/^https?:\/\//i.test(value)) return value;
  return (
    <a href={value} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  );
}
