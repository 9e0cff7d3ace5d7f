import type { Act, ActProposed, AddPartyPersonRequest, Party, PartyPerson, UpdatePartyRequest } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { sentence } from "../../act-words.ts";
import { ActChip } from "../acts/words.tsx";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { type Column, PagedTable, pageOf, Skeleton, Table } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { AddPersonDialog, ChangePartyDialog } from "./party-dialogs.tsx";
import { partyKindWords, personStateWords, rightsWords } from "./words.ts";

type Doing = { readonly what: "change" | "add" } | { readonly what: "remove"; readonly person: PartyPerson };

/** One party, its people, and the acts that ask it. */
export function PartyScreen({ params: { party_id = "" } }: ScreenProps) {
  const params = { party_id };
  const loaded = useLoad(party_id, () => call("get_party", { params }));
  const [done, setDone] = useState<ComponentChildren>("");
  const [doing, setDoing] = useState<Doing | null>(null);
  // How often the party was asked here; its acts are then loaded again.
  const [asked, setAsked] = useState(0);
  const above = <Link to="/parties">Parties</Link>;
  const { data: party, error } = loaded;
  if (party === null) {
    return (
      <Screen title="Party" above={above}>
        {error === null ? loaded.isSlow && <Skeleton /> : <ErrorNotice error={error} onRetry={loaded.reload} />}
      </Screen>
    );
  }
  const close = () => setDoing(null);
  const change = async (body: UpdatePartyRequest) => {
    loaded.put(await call("update_party", { params, body }));
    setDone("Party changed.");
    close();
  };
  /** Either it happened, or the party was asked. */
  const answered = (answer: Party | ActProposed, words: string, isLost = false) => {
    if ("act_id" in answer) {
      setDone(<AskedParty {...answer} name={party.name} isLost={isLost} />);
      setAsked((now) => now + 1);
    } else {
      loaded.put(answer);
      setDone(words);
    }
    close();
  };
  const add = async (body: AddPartyPersonRequest) =>
    answered(await call("add_party_person", { params, body }), `${body.name} was added.`, body.approvers_lost);
  const remove = async ({ person_id, name }: PartyPerson) =>
    answered(await call("remove_party_person", { params: { party_id, person_id } }), `${name} was removed.`);
  return (
    <Screen
      title={party.name}
      above={above}
      lead={partyKindWords[party.kind]}
      {...(hasRole("admin") && {
        actions: (
          <button type="button" class="button" onClick={() => setDoing({ what: "change" })}>
            Change party
          </button>
        ),
      })}
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <StatusNotice>{done}</StatusNotice>
      <Card title="Party">
        <Facts
          facts={[
            ["Identifier", party.identifier ?? "None"],
            ["Address", party.address ?? "None"],
            ...(party.org_id === null ? [] : [["Organization", party.org_id] as const]),
            ...(party.vault_id === null ? [] : [["Pinned vault", party.vault_id] as const]),
            ...(party.approvers_replaced_at === null
              ? []
              : [["Approvers replaced", <When key="replaced" at={party.approvers_replaced_at} />] as const]),
            ["Party ID", party.party_id],
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
          title={`Remove ${doing.person.name}?`}
          button="Remove"
          kind="danger"
          onConfirm={() => remove(doing.person)}
          onClose={() => setDoing((now) => (now?.what === "remove" ? null : now))}
        >
          <p>
            {sentence(`${doing.person.email} can then no longer act for ${party.name}`)} If someone who can confirm for the party has logged
            in, the party is asked first.
          </p>
        </Confirm>
      )}
    </Screen>
  );
}

const isDecidedByParty = ({ people }: Party): boolean => people.some(({ rights, state }) => rights === "approve" && state === "active");

const AskedParty = ({ act_id, name, isLost }: ActProposed & { readonly name: string; readonly isLost: boolean }) => (
  <>
    {isLost
      ? "Proposed. Another admin confirms it, and the people of the party have 14 days to stop it. "
      : `${sentence(`Asked ${name}`)} The change happens when one of its people who can confirm agrees. `}
    <Link to={`/acts/${act_id}`}>Open act</Link>
  </>
);

function People({ party, onDoing }: { party: Party; onDoing: (doing: Doing) => void }) {
  const people = party.people.filter(({ state }) => state !== "removed");
  const isAsked = isDecidedByParty(party);
  const columns: readonly Column<PartyPerson>[] = [
    { head: "Name", cell: ({ name }) => name },
    { head: "E-mail", cell: ({ email }) => email },
    { head: "Rights", cell: ({ rights }) => rightsWords[rights] },
    { head: "State", cell: ({ state }) => personStateWords[state] },
    { head: "Added", cell: ({ added_at }) => <When at={added_at} />, minor: true },
    {
      head: "Actions",
      cell: (person) =>
        hasRole("admin") && (
          <span class="row-acts">
            <button type="button" class="button" aria-label={`Remove ${person.name}`} onClick={() => onDoing({ what: "remove", person })}>
              Remove
            </button>
          </span>
        ),
    },
  ];
  return (
    <Card
      title="People"
      {...(hasRole("admin") && {
        actions: (
          <button type="button" class="button" onClick={() => onDoing({ what: "add" })}>
            Add person
          </button>
        ),
      })}
    >
      <p class="quiet small">
        {isAsked
          ? `The party decides about its own people: a change here asks ${party.name} first.`
          : "Your organization names the first people. That they act for the party is not verified, and certificates say so."}
      </p>
      <RequireRole least="admin" to="change the people of a party">
        {null}
      </RequireRole>
      {people.length === 0 ? (
        <p class="notice">No one acts for this party, so it cannot confirm. Add a person who can confirm.</p>
      ) : (
        <Table caption="People who act for the party" rows={people} columns={columns} keyOf={({ person_id }) => person_id} />
      )}
    </Card>
  );
}

const actColumns: readonly Column<Act>[] = [
  { head: "Act", cell: ({ summary }) => summary },
  { head: "State", cell: (act) => <ActChip {...act} /> },
  { head: "Proposed", cell: ({ proposed_at }) => <When at={proposed_at} /> },
];

function AskedActs({ party_id, asked }: { party_id: string; asked: number }) {
  const page = pageOf();
  const loaded = useLoad(`acts ${page} ${asked}`, () => list("list_acts", { query: { party_id, page, limit: 10 } }));
  return (
    <Card title="Acts that ask this party">
      <PagedTable
        loaded={loaded}
        caption="Acts that ask this party, newest first"
        columns={actColumns}
        keyOf={({ act_id }) => act_id}
        to={({ act_id }) => `/acts/${act_id}`}
        empty={<p class="quiet">No acts. The party has not been asked yet.</p>}
      />
    </Card>
  );
}
