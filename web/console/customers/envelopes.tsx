import type { EnvelopeSummary } from "@countersign/client/types";
import { list } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/customers/en.ts";

const words = en.envelopes;

const LIMIT = 20;

const columns: readonly Column<EnvelopeSummary>[] = [
  { head: words.columns.name, cell: ({ envelope_name }) => envelope_name },
  { head: words.columns.status, cell: ({ status }) => <StatusChip status={status} /> },
  { head: words.columns.signed, cell: ({ signers }) => signedOf(signers) },
  { head: words.columns.updated, cell: ({ updated_at }) => <When at={updated_at} /> },
];

function signedOf(signers: EnvelopeSummary["signers"] = []): string {
  if (signers.length === 0) return en.none;
  return words.signed(signers.filter(({ status }) => status === "signed").length, signers.length);
}

/** A customer's envelopes, including drafts. Discarded drafts are left out, as in the list of all envelopes. */
export function CustomersEnvelopes({ customer_id }: { customer_id: string }) {
  const query = { customer_id, expand: "signers", discarded: "exclude" } as const;
  const wanted = { ...query, page: pageOf(), limit: LIMIT };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_envelopes", { query: wanted }));
  const call = <ApiCall operation="list_envelopes" given={{ query }} />;
  return (
    <section class="stack">
      <h2>{words.title}</h2>
      <PagedTable
        caption={words.caption}
        loaded={loaded}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/envelopes/${envelope_id}`}
        empty={
          <Empty title={words.empty} curl={call}>
            {words.emptyText}
          </Empty>
        }
      />
    </section>
  );
}
