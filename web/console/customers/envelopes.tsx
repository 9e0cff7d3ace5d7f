import type { EnvelopeSummary } from "@countersign/client/types";
import { list } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";

const LIMIT = 20;

const columns: readonly Column<EnvelopeSummary>[] = [
  { head: "Name", cell: ({ envelope_name }) => envelope_name },
  { head: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { head: "Signed", cell: ({ signers }) => signedOf(signers) },
  { head: "Updated", cell: ({ updated_at }) => <When at={updated_at} /> },
];

function signedOf(signers: EnvelopeSummary["signers"] = []): string {
  if (signers.length === 0) return "–";
  return `${signers.filter(({ status }) => status === "signed").length} of ${signers.length}`;
}

/** A customer's envelopes, including drafts. */
export function CustomersEnvelopes({ customer_id }: { customer_id: string }) {
  const wanted = { customer_id, expand: "signers", page: pageOf(), limit: LIMIT };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_envelopes", { query: wanted }));
  const call = <ApiCall operation="list_envelopes" given={{ query: { customer_id, expand: "signers" } }} />;
  return (
    <section class="stack">
      <h2>Envelopes</h2>
      <PagedTable
        caption="Envelopes of this customer"
        loaded={loaded}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/envelopes/${envelope_id}`}
        empty={
          <Empty title="No envelopes yet" curl={call}>
            An envelope is a document sent for signature. All envelopes of this customer appear here.
          </Empty>
        }
      />
    </section>
  );
}
