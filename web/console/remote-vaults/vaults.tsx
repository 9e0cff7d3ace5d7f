import type { CreateRemoteVaultRequest, RemoteVault } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/remote-vaults/en.ts";

const w = en.vaults;

/** The vaults that this organization has pinned. */
export function Vaults({ say }: { readonly say: (words: string) => void }) {
  const wanted = { page: pageOf(), limit: 20 };
  const loaded = useLoad(`vaults ${wanted.page}`, () => list("list_remote_vaults", { query: wanted }));
  const [isPinning, setPinning] = useState(false);
  const [removing, setRemoving] = useState<RemoteVault | null>(null);
  const pin = async (body: CreateRemoteVaultRequest) => {
    const { name } = await call("create_remote_vault", { body });
    setPinning(false);
    await loaded.reload();
    say(w.isPinnedRecords(name));
  };
  const remove = async ({ vault_id, name }: RemoteVault) => {
    await reloadOnConflict(() => call("delete_remote_vault", { params: { vault_id } }), loaded.reload);
    await loaded.reload();
    say(w.wasRemovedNothing(name));
  };
  const columns: readonly Column<RemoteVault>[] = [
    { head: w.name, cell: ({ name }) => name },
    { head: w.address, cell: ({ url }) => url },
    { head: w.root, cell: ({ root_sha256 }) => <code title={root_sha256}>{root_sha256.slice(0, 16)}…</code>, minor: true },
    { head: w.organizationThere, cell: ({ org_id }) => <code>{org_id}</code>, minor: true },
    { head: w.pinned, cell: ({ pinned_at }) => <When at={pinned_at} />, minor: true },
    {
      head: w.actions,
      cell: (vault) => (
        <button type="button" class="button" onClick={() => setRemoving(vault)}>
          {w.remove}
          <span class="hidden-visually"> {vault.name}</span>
        </button>
      ),
    },
  ];
  const pinning = (
    <button type="button" class="button primary" onClick={() => setPinning(true)}>
      {w.pinAVault}
    </button>
  );
  const isEmpty = loaded.data?.meta.total === 0;
  return (
    <>
      {!isEmpty && <div class="buttons">{pinning}</div>}
      <PagedTable
        loaded={loaded}
        caption={w.pinnedVaultsNewest}
        columns={columns}
        keyOf={({ vault_id }) => vault_id}
        empty={
          <Empty title={w.noVaultsPinned} action={pinning}>
            {w.toExchangeRecords}
          </Empty>
        }
      />
      <Own />
      <ApiCall operation="list_remote_vaults" given={{ query: wanted }} />
      {isPinning && <PinDialog onSend={pin} onClose={() => setPinning(false)} />}
      {removing !== null && (
        <Confirm
          title={w.removeQuestion(removing.name)}
          button={w.remove}
          kind="danger"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>{w.nothingMovesTo}</p>
        </Confirm>
      )}
    </>
  );
}

/** What the other organization needs to pin this one. */
function Own() {
  const loaded = useLoad("own root", () => call("get_transparency"));
  if (loaded.data === null) return null;
  const { root_sha256 } = loaded.data;
  return (
    <Card title={w.whatOthersNeed}>
      <Facts
        facts={[
          [w.address, window.location.origin],
          [w.rootSha256, root_sha256 === null ? w.madeWithThe : <code key="root">{root_sha256}</code>],
          [w.organizationId, <code key="org">{me().org.org_id}</code>],
        ]}
      />
    </Card>
  );
}

interface PinProps {
  readonly onSend: (body: CreateRemoteVaultRequest) => Promise<unknown>;
  readonly onClose: () => void;
}

function PinDialog({ onSend, onClose }: PinProps) {
  const sending = useSending();
  const [given, setGiven] = useState({ name: "", url: "", root_sha256: "", org_id: "" });
  const set = (name: keyof typeof given) => (value: string) => setGiven({ ...given, [name]: value });
  const send = () => {
    const name = given.name.trim();
    const { url, root_sha256, org_id } = given;
    const known = { url: url.trim(), root_sha256: root_sha256.trim().toLowerCase(), org_id: org_id.trim() };
    return onSend({ ...known, ...(name !== "" && { name }) });
  };
  return (
    <Dialog title={w.pinAVault} onClose={onClose}>
      <Form sending={sending} onSend={send}>
        <TextField label={w.name} name="name" value={given.name} onText={set("name")} sending={sending} optional />
        <TextField
          label={w.address}
          name="url"
          required
          type="url"
          value={given.url}
          onText={set("url")}
          sending={sending}
          placeholder="https://vault.example.com"
        />
        <TextField
          label={w.rootSha256}
          name="root_sha256"
          required
          value={given.root_sha256}
          onText={set("root_sha256")}
          sending={sending}
          hint={w.n64HexadecimalDigits}
        />
        <TextField
          label={w.organizationId}
          name="org_id"
          required
          value={given.org_id}
          onText={set("org_id")}
          sending={sending}
          placeholder="org_…"
          hint={w.ofTheOrganization}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {w.cancel}
          </button>
          <SubmitButton sending={sending}>{w.pinVault}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
