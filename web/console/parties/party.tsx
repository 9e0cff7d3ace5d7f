import type { Act, ActProposed, AddPartyPersonRequest, Party, PartyPerson, UpdatePartyRequest } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { sentence } from "../../act-words.ts";
import { ApiError } from "../../http.ts";
import { ActChip } from "../acts/words.tsx";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { type Column, PagedTable, pageOf, Table } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/parties/en.ts";
import { AddPersonDialog, ChangePartyDialog } from "./party-dialogs.tsx";
import { partyKindWords, personStateWords, rightsWords } from "./words.ts";

const w = en.party;

type Doing = { readonly what: "change" | "add" } | { readonly what: "remove"; readonly person: PartyPerson };

/** One party, its people, and the acts that ask it. */
export function PartyScreen({ params: { party_id = "" } }: ScreenProps) {
  const params = { party_id };
  const loaded = useLoad(party_id, () => call("get_party", { params }));
  const [done, setDone] = useState<ComponentChildren>("");
  const [doing, setDoing] = useState<Doing | null>(null);
  // How often the party was asked here; its acts are then loaded again.
  const [asked, setAsked] = useState(0);
  const above = <Link to="/parties">{w.parties}</Link>;
  const { data: party, error } = loaded;
  if (party === null) {
    return (
      <Screen title={w.party} above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  const close = () => setDoing(null);
  const change = async (body: UpdatePartyRequest) => {
    loaded.put(await call("update_party", { params, body }));
    setDone("");
    showToast(w.partyChanged);
    close();
  };
  /** Either it happened, or the party was asked. */
  const answered = (answer: Party | ActProposed, words: string, isLost = false) => {
    if ("act_id" in answer) {
      setDone(<AskedParty {...answer} name={party.name} isLost={isLost} />);
      setAsked((now) => now + 1);
    } else {
      loaded.put(answer);
      setDone("");
      showToast(words);
    }
    close();
  };
  const add = async (body: AddPartyPersonRequest) =>
    answered(await call("add_party_person", { params, body }), w.wasAdded(body.name), body.approvers_lost);
  const remove = async ({ person_id, name }: PartyPerson) => {
    try {
      answered(await call("remove_party_person", { params: { party_id, person_id } }), w.wasRemoved(name));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      // An earlier attempt, whose answer was lost, or another window removed the person.
      answered(await call("get_party", { params }), w.wasRemoved(name));
    }
  };
  return (
    <Screen
      title={party.name}
      above={above}
      lead={partyKindWords[party.kind]}
      {...(may("parties:write") && {
        actions: (
          <button type="button" class="button" onClick={() => setDoing({ what: "change" })}>
            {w.changeParty}
          </button>
        ),
      })}
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <StatusNotice>{done}</StatusNotice>
      <Card title={w.party}>
        <Facts
          facts={[
            [w.identifier, party.identifier ?? w.none],
            [w.address, party.address ?? w.none],
            ...(party.org_id === null ? [] : [[w.organization, party.org_id] as const]),
            ...(party.vault_id === null ? [] : [[w.pinnedVault, party.vault_id] as const]),
            ...(party.approvers_replaced_at === null
              ? []
              : [[w.approversReplaced, <When key="replaced" at={party.approvers_replaced_at} />] as const]),
            [w.partyId, party.party_id],
          ]}
        />
      </Card>
      {party.kind === "people" && <People party={party} onDoing={setDoing} />}
      <AskedActs party_id={party_id} asked={asked} />
      <ApiCall operation="get_party" given={{ params }} />
      {doing?.what === "change" && <ChangePartyDialog party={party} onSend={change} onClose={close} />}
      {doing?.what === "add" && <AddPersonDialog canBeLost={isDecidedByParty(party)} onSend={add} onClose={close} />}
      {doing?.what === "remove" && (
        <Confirm
          title={w.remove(doing.person.name)}
          button={w.removeWord}
          kind="danger"
          onConfirm={() => remove(doing.person)}
          onClose={() => setDoing((now) => (now?.what === "remove" ? null : now))}
        >
          <p>
            {sentence(w.canThenNo(doing.person.email, party.name))}
            {w.ifSomeoneWho}
          </p>
        </Confirm>
      )}
    </Screen>
  );
}

const isDecidedByParty = ({ people }: Party): boolean => people.some(({ rights, state }) => rights === "approve" && state === "active");

const AskedParty = ({ act_id, name, isLost }: ActProposed & { readonly name: string; readonly isLost: boolean }) => (
  <>
    {isLost ? w.proposedAnotherAdmin : w.asked(name)}
    <Link to={`/acts/${act_id}`}>{w.openAct}</Link>
  </>
);

function People({ party, onDoing }: { party: Party; onDoing: (doing: Doing) => void }) {
  const people = party.people.filter(({ state }) => state !== "removed");
  const isAsked = isDecidedByParty(party);
  const columns: readonly Column<PartyPerson>[] = [
    { head: w.name, cell: ({ name }) => name },
    { head: w.eMail, cell: ({ email }) => email },
    { head: w.rights, cell: ({ rights }) => rightsWords[rights] },
    { head: w.state, cell: ({ state }) => personStateWords[state] },
    { head: w.added, cell: ({ added_at }) => <When at={added_at} />, minor: true },
    {
      head: w.actions,
      cell: (person) =>
        may("parties:write") && (
          <span class="row-acts">
            <button type="button" class="button" aria-label={w.removeOf(person.name)} onClick={() => onDoing({ what: "remove", person })}>
              {w.removeWord}
            </button>
          </span>
        ),
    },
  ];
  return (
    <Card
      title={w.people}
      {...(may("parties:write") && {
        actions: (
          <button type="button" class="button" onClick={() => onDoing({ what: "add" })}>
            {w.addPerson}
          </button>
        ),
      })}
    >
      <p class="quiet small">{isAsked ? w.thePartyDecides(party.name) : w.yourOrganizationNames}</p>
      <RequirePermission needs="parties:write" to={w.changeThePeople}>
        {null}
      </RequirePermission>
      {people.length === 0 ? (
        <p class="notice">{w.noOneActs}</p>
      ) : (
        <Table caption={w.peopleWhoAct} rows={people} columns={columns} keyOf={({ person_id }) => person_id} />
      )}
    </Card>
  );
}

const actColumns: readonly Column<Act>[] = [
  { head: w.act, cell: ({ summary }) => summary },
  { head: w.state, cell: (act) => <ActChip {...act} /> },
  { head: w.proposed, cell: ({ proposed_at }) => <When at={proposed_at} /> },
];

function AskedActs({ party_id, asked }: { party_id: string; asked: number }) {
  const page = pageOf();
  const loaded = useLoad(`acts ${page} ${asked}`, () => list("list_acts", { query: { party_id, page, limit: 10 } }));
  return (
    <Card title={w.actsThatAsk}>
      <PagedTable
        loaded={loaded}
        caption={w.actsThatAskThis}
        columns={actColumns}
        keyOf={({ act_id }) => act_id}
        to={({ act_id }) => `/acts/${act_id}`}
        empty={<p class="quiet">{w.noActsThe}</p>}
      />
    </Card>
  );
}
