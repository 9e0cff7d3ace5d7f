import type { VaultTransfer, VaultTransferDirection } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { fromNow, utc, When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { AcceptTransferDialog, CancelTransferDialog, RefuseTransferDialog } from "./transfer-dialogs.tsx";
import { canAccept, canCancel, canRefuse, stateOf } from "./words.ts";

interface TransfersProps {
  readonly direction: VaultTransferDirection;
  readonly say: (words: string) => void;
}

const dialogs = { accept: AcceptTransferDialog, refuse: RefuseTransferDialog, cancel: CancelTransferDialog } as const;
type Action = keyof typeof dialogs;
interface Acting {
  readonly transfer: VaultTransfer;
  readonly action: Action;
}

/** Records offered to this organization, or by it, newest first. */
export function Transfers({ direction, say }: TransfersProps) {
  const wanted = { direction, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_vault_transfers", { query: wanted }));
  const [acting, setActing] = useState<Acting | null>(null);
  const done = async (words: string) => {
    await loaded.reload();
    say(words);
  };
  const columns: readonly Column<VaultTransfer>[] = [
    { head: "Record", cell: nameCell },
    { head: direction === "in" ? "From" : "To", cell: ({ vault_name }) => vault_name },
    { head: "State", cell: (transfer) => <State transfer={transfer} /> },
    {
      head: "Offer ends",
      cell: ({ expires_at, closed_at }) => (closed_at === null ? <span title={utc(expires_at)}>{fromNow(expires_at)}</span> : "–"),
    },
    { head: "Updated", cell: ({ updated_at }) => <When at={updated_at} />, minor: true },
    { head: "Actions", cell: (transfer) => <Actions transfer={transfer} onAct={(action) => setActing({ transfer, action })} /> },
  ];
  const Dialog = acting === null ? null : dialogs[acting.action];
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption={direction === "in" ? "Records from other vaults, newest first" : "Records to other vaults, newest first"}
        columns={columns}
        keyOf={({ transfer_id }) => transfer_id}
        empty={direction === "in" ? <NothingIn /> : <NothingOut />}
      />
      <ApiCall operation="list_vault_transfers" given={{ query: wanted }} />
      {acting !== null && Dialog !== null && (
        <Dialog transfer={acting.transfer} onDone={done} reload={loaded.reload} onClose={() => setActing(null)} />
      )}
    </>
  );
}

/** A record that is here has a page of its own; one that is only offered does not. */
const nameCell = ({ envelope_id, envelope_name }: VaultTransfer) =>
  envelope_id === null ? envelope_name : <Link to={`/vault/${envelope_id}`}>{envelope_name}</Link>;

function State({ transfer }: { readonly transfer: VaultTransfer }) {
  const [tone, words] = stateOf(transfer);
  const why = transfer.closed_at === null ? transfer.last_error : transfer.reason;
  return (
    <>
      <Chip tone={tone}>{words}</Chip>
      {why !== null && <div class="small quiet">{why}</div>}
    </>
  );
}

function Actions({ transfer, onAct }: { readonly transfer: VaultTransfer; readonly onAct: (action: Action) => void }) {
  const possible: readonly (readonly [boolean, Action, string])[] = [
    [canAccept(transfer), "accept", "Accept"],
    [canRefuse(transfer), "refuse", "Refuse"],
    [canCancel(transfer), "cancel", "Cancel transfer"],
  ];
  const offered = possible.filter(([isPossible]) => isPossible);
  if (offered.length === 0) return "–";
  return (
    <div class="buttons answer">
      {offered.map(([, action, words]) => (
        <button key={action} type="button" class={action === "accept" ? "button primary" : "button"} onClick={() => onAct(action)}>
          {words}
          <span class="hidden-visually"> {transfer.envelope_name}</span>
        </button>
      ))}
    </div>
  );
}

const NothingIn = () => (
  <Empty title="No transfers in">
    When an organization that you have pinned offers you a record, it appears here. You name the customer and the custodian, and the record
    is verified before it is released to you.
  </Empty>
);

const NothingOut = () => (
  <Empty title="No transfers out">
    To offer a record to another vault, open it and propose “Transfer to another vault” in its “Control” tab. The party on record and every
    pledgee confirm first.
  </Empty>
);
