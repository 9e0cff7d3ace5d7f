import type { Assignment } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { Form } from "../parts/form.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import { Assign } from "./assign.tsx";
import { noParty, PartyFields, partyOf } from "./party-fields.tsx";
import type { RecordProps } from "./record-props.ts";

const w = en.securedParty;

const columns: readonly Column<Assignment>[] = [
  { head: w.securedParty, cell: ({ secured_party }) => secured_party.name },
  {
    head: w.consentOfThe,
    cell: ({ consent }) => consentWords(consent),
  },
  { head: w.statement, cell: ({ consent }) => consent?.statement ?? "–", minor: true },
  { head: w.recorded, cell: ({ recorded_at }) => <When at={recorded_at} /> },
];

function consentWords(consent: Assignment["consent"]): string {
  if (consent === null) return w.noneNeededFirst;
  if (consent.given_by !== null) return w.inWriting(consent.given_by.name);
  return consent.method === "correction" ? w.noneNeededCorrection : w.confirmedAct;
}

/** The current secured party and the register of all parties. It changes only with the consent of the current party. */
export function SecuredParty(it: RecordProps) {
  const { envelope_id, copy, done } = it;
  const page = pageOf("register");
  const loaded = useLoad(`register ${page}`, () => list("list_assignments", { params: { envelope_id }, query: { page, limit: 10 } }));
  const isOpen = copy.state === "active" || copy.state === "tampered";
  const changed = async (words: string) => void (await Promise.all([loaded.reload(), done(words)]));
  return (
    <Card title={w.securedParty}>
      {copy.secured_party === null ? <p>{w.noSecuredParty}</p> : <CurrentParty {...it} />}
      {isOpen && (
        <RequirePermission needs="vault:write" to={w.changeTheSecured}>
          {copy.secured_party === null ? (
            <Designate {...it} done={changed} />
          ) : copy.control.policy === "confirmed" ? (
            <p>
              {w.mustConfirmAn(copy.secured_party.name)}
              <Link to={`/vault/${envelope_id}?tab=control&propose=assign`}>{w.proposeAnAssignment}</Link>
            </p>
          ) : (
            <Assign {...it} done={changed} seq={loaded.data?.meta.total} />
          )}
        </RequirePermission>
      )}
      <h3>{w.registerOfSecured}</h3>
      <PagedTable
        loaded={loaded}
        caption={w.registerOfSecuredParties}
        columns={columns}
        keyOf={({ seq }) => String(seq)}
        pageName="register"
        empty={<p class="quiet">{w.noEntriesYet}</p>}
      />
    </Card>
  );
}

function CurrentParty({ copy }: RecordProps) {
  const { name = "", role, address, email, identifier } = copy.secured_party ?? {};
  const shown: readonly (readonly [string, string | undefined])[] = [
    [w.name, name],
    [w.role, role],
    [w.address, address],
    [w.eMailAddress, email],
    [w.identifier, identifier],
  ];
  return <Facts facts={shown.flatMap(([label, value]) => (value === undefined || value === "" ? [] : [[label, value] as const]))} />;
}

/** Names the first secured party. From then on only an assignment changes it. */
function Designate({ envelope_id, done }: RecordProps) {
  const sending = useSending();
  const [party, setParty] = useState(noParty);
  const designate = async () => {
    await call("designate_secured_party", { params: { envelope_id }, body: partyOf(party) });
    await done(w.isNowThe(party.name.trim()));
  };
  return (
    <Form sending={sending} onSend={designate}>
      <PartyFields value={party} onChange={setParty} sending={sending} at="" />
      <div class="buttons">
        <SubmitButton sending={sending}>{w.nameTheSecured}</SubmitButton>
      </div>
    </Form>
  );
}
