import type { PossibleDuplicate } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/duplicates/en.ts";
import { DuplicateReview, inCommon } from "./duplicate-review.tsx";
import { StateChip } from "./words.tsx";

const w = en.duplicates;

/** Vaulted records that may be the same document and that no one has compared yet. */
export function Duplicates() {
  const page = pageOf();
  const loaded = useLoad(`duplicates ${page}`, () => list("list_possible_duplicates", { query: { page, limit: 20 } }));
  const [reviewing, setReviewing] = useState<PossibleDuplicate | null>(null);
  const columns: readonly Column<PossibleDuplicate>[] = [
    { head: w.document, cell: ({ envelope_name }) => envelope_name },
    { head: w.state, cell: ({ state }) => <StateChip state={state} /> },
    {
      head: w.alsoRecordedAs,
      cell: ({ other }) => (
        <>
          <Link to={`/vault/${other.envelope_id}`}>{other.envelope_name}</Link> <StateChip state={other.state} />
        </>
      ),
    },
    { head: w.inCommon, cell: inCommon },
    { head: w.stored, cell: ({ stored_at }) => <When at={stored_at} />, minor: true },
    {
      head: w.review,
      cell: (pair) =>
        may("vault:write") && (
          <button type="button" class="button" onClick={() => setReviewing(pair)}>
            {w.review}
            <span class="hidden-visually"> {pair.envelope_name}</span>
          </button>
        ),
    },
  ];
  const done = async (words: string) => {
    await loaded.reload();
    showToast(words);
  };
  return (
    <Screen title={w.possibleDuplicates} above={<Link to="/vault">{w.vaultedDocuments}</Link>} lead={w.recordsThatHave}>
      <PagedTable
        loaded={loaded}
        caption={w.recordsToCompare}
        columns={columns}
        keyOf={({ envelope_id, other }) => `${envelope_id} ${other.envelope_id}`}
        to={({ envelope_id }) => `/vault/${envelope_id}`}
        empty={
          <Empty title={w.nothingToCompare} curl={<ApiCall operation="list_possible_duplicates" given={{}} />}>
            {w.whenADocument}
          </Empty>
        }
      />
      {loaded.data !== null && loaded.data.meta.total > 0 && <ApiCall operation="list_possible_duplicates" given={{}} />}
      {reviewing !== null && <DuplicateReview pair={reviewing} onDone={done} reload={loaded.reload} onClose={() => setReviewing(null)} />}
    </Screen>
  );
}
