import type { PossibleDuplicate } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { DuplicateReview, inCommon } from "./duplicate-review.tsx";
import { StateChip } from "./words.tsx";

/** Vaulted records that may be the same document and that no one has compared yet. */
export function Duplicates() {
  const page = pageOf();
  const loaded = useLoad(`duplicates ${page}`, () => list("list_possible_duplicates", { query: { page, limit: 20 } }));
  const [message, setMessage] = useState("");
  const [reviewing, setReviewing] = useState<PossibleDuplicate | null>(null);
  const columns: readonly Column<PossibleDuplicate>[] = [
    { head: "Document", cell: ({ envelope_name }) => envelope_name },
    { head: "State", cell: ({ state }) => <StateChip state={state} /> },
    {
      head: "Also recorded as",
      cell: ({ other }) => (
        <>
          <Link to={`/vault/${other.envelope_id}`}>{other.envelope_name}</Link> <StateChip state={other.state} />
        </>
      ),
    },
    { head: "In common", cell: inCommon },
    { head: "Stored", cell: ({ stored_at }) => <When at={stored_at} />, minor: true },
    {
      head: "Review",
      cell: (pair) =>
        hasRole("member") && (
          <button type="button" class="button" onClick={() => setReviewing(pair)}>
            Review<span class="hidden-visually"> {pair.envelope_name}</span>
          </button>
        ),
    },
  ];
  const done = async (words: string) => {
    await loaded.reload();
    setMessage(words);
  };
  return (
    <Screen
      title="Possible duplicates"
      above={<Link to="/vault">Vaulted documents</Link>}
      lead="Records that have their file, their words or their instrument in common. Check 1 is not shown until someone other than the depositor has compared them."
    >
      <StatusNotice>{message}</StatusNotice>
      <PagedTable
        loaded={loaded}
        caption="Records to compare, newest first"
        columns={columns}
        keyOf={({ envelope_id, other }) => `${envelope_id} ${other.envelope_id}`}
        to={({ envelope_id }) => `/vault/${envelope_id}`}
        empty={
          <Empty title="Nothing to compare" curl={<ApiCall operation="list_possible_duplicates" given={{}} />}>
            When a document comes into the vault a second time with the same words or the same instrument, both records appear here. Copies
            that were exported or destroyed count too. The same file is refused at once.
          </Empty>
        }
      />
      {loaded.data !== null && loaded.data.meta.total > 0 && <ApiCall operation="list_possible_duplicates" given={{}} />}
      {reviewing !== null && <DuplicateReview pair={reviewing} onDone={done} reload={loaded.reload} onClose={() => setReviewing(null)} />}
    </Screen>
  );
}
