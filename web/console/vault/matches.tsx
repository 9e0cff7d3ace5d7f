import type { PossibleDuplicate } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/duplicates/en.ts";
import { DuplicateReview, inCommon } from "./duplicate-review.tsx";
import type { RecordProps } from "./record-props.ts";

const w = en.matches;

/** The remedy of check 1: the records that this one has to be compared with, each with its button. */
export function Matches({ envelope_id, done }: Pick<RecordProps, "envelope_id" | "done">) {
  const loaded = useLoad(`matches ${envelope_id}`, () => list("list_possible_duplicates", { query: { envelope_id, limit: 20 } }));
  const [reviewing, setReviewing] = useState<PossibleDuplicate | null>(null);
  const pairs = loaded.data?.data ?? [];
  const recorded = async (words: string) => {
    await loaded.reload();
    await done(words);
  };
  return (
    <>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {pairs.map((pair) => (
        <p key={pair.other.envelope_id}>
          {pair.other.envelope_name}: {inCommon(pair)}.{" "}
          {may("vault:write") ? (
            <button type="button" class="button" onClick={() => setReviewing(pair)}>
              {w.recordAComparison}
              <span class="hidden-visually">{w.with(pair.other.envelope_name)}</span>
            </button>
          ) : (
            <span class="quiet small">{w.onlyMembersAnd}</span>
          )}
        </p>
      ))}
      {reviewing !== null && (
        <DuplicateReview pair={reviewing} onDone={recorded} reload={loaded.reload} onClose={() => setReviewing(null)} />
      )}
    </>
  );
}
