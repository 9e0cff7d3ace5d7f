import type { LegalHold } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.holds;

/** Legal holds. Several can be active at the same time; each is released separately. */
export function Holds({ envelope_id, copy, people, done }: RecordProps) {
  const sending = useSending();
  const params = { envelope_id };
  const page = pageOf("holds");
  const loaded = useLoad(`holds ${page}`, () => list("list_legal_holds", { params, query: { page, limit: 10 } }));
  const [reason, setReason] = useState("");
  const [releasing, setReleasing] = useState<LegalHold | null>(null);
  const place = async () => {
    await call("place_legal_hold", { params, body: { reason } });
    setReason("");
    await Promise.all([loaded.reload(), done(w.holdPlacedThe)]);
  };
  const release = async ({ hold_id }: LegalHold) => {
    await call("release_legal_hold", { params: { envelope_id, hold_id } });
    await Promise.all([loaded.reload(), done(w.holdReleased)]);
  };
  const columns: readonly Column<LegalHold>[] = [
    { head: w.reason, cell: (hold) => hold.reason },
    {
      head: w.state,
      cell: ({ released_at }) => (released_at === null ? <Chip tone="waiting">{w.active}</Chip> : <Chip>{w.released}</Chip>),
    },
    { head: w.placed, cell: ({ placed_at }) => <When at={placed_at} /> },
    { head: w.by, cell: ({ placed_by }) => people.actorOf(placed_by) },
    { head: w.released, cell: ({ released_at }) => <When at={released_at} otherwise={w.notYet} />, minor: true },
    {
      head: w.actions,
      cell: (hold) =>
        hold.released_at === null &&
        may("vault:write") && (
          <button type="button" class="button" aria-label={w.releaseHold(hold.reason)} onClick={() => setReleasing(hold)}>
            {w.release}
          </button>
        ),
    },
  ];
  return (
    <Card title={w.legalHolds}>
      <PagedTable
        loaded={loaded}
        caption={w.legalHoldsNewest}
        columns={columns}
        keyOf={({ hold_id }) => hold_id}
        pageName="holds"
        empty={<p class="quiet">{w.noLegalHolds}</p>}
      />
      {["active", "escrowed", "papering", "tampered"].includes(copy.state) && (
        <RequirePermission needs="vault:write" to={w.placeAndRelease}>
          <Form sending={sending} onSend={place}>
            <div class="one-line">
              <TextField
                label={w.reasonForThe}
                name="reason"
                required
                value={reason}
                onText={setReason}
                maxLength={500}
                sending={sending}
              />
              <SubmitButton sending={sending} kind="plain">
                {w.placeHold}
              </SubmitButton>
            </div>
          </Form>
        </RequirePermission>
      )}
      {releasing !== null && (
        <Confirm
          title={w.releaseHoldQuestion}
          button={w.releaseHoldWord}
          onConfirm={() => release(releasing)}
          onClose={() => setReleasing(null)}
        >
          <p>{w.noLongerKeeps(releasing.reason)}</p>
        </Confirm>
      )}
    </Card>
  );
}
