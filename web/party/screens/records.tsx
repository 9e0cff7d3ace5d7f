import type { PersonRecord } from "@countersign/client/pages";
import { call } from "../api.ts";
import { Chip, ErrorNotice, Facts, Moment, Screen, type Tone } from "../parts.tsx";
import { useLoad } from "../task.ts";

const held: Record<PersonRecord["held_as"], string> = {
  controller: "Secured party",
  pledgee: "Pledgee",
  participant: "Participant",
};

const states: Record<PersonRecord["state"], readonly [Tone, string]> = {
  active: ["plain", "In the vault"],
  escrowed: ["waiting", "Being exported"],
  exported: ["plain", "Exported"],
  tampered: ["bad", "Tampered"],
  destroying: ["waiting", "Being destroyed"],
  destroyed: ["plain", "Destroyed"],
  transferred: ["plain", "Released to another vault"],
  papering: ["waiting", "Being replaced by paper"],
  papered: ["plain", "Replaced by paper"],
};

const standings: Record<NonNullable<PersonRecord["standing"]>, string> = {
  proven: "All checks proven",
  attested: "All checks satisfied, some attested only",
  not_passed: "Not all checks satisfied",
  left: "The copy left this vault",
  destroyed: "The copy was destroyed",
  not_assessed: "Not graded",
};

/** The records in which the person's parties hold something. */
export function Records() {
  const { data, error, reload } = useLoad("records", () => call("GET /records"));
  return (
    <Screen title="Records" lead="What the parties you act for hold, as the vaults of these organizations record it.">
      <ErrorNotice error={error} onRetry={reload} />
      {data?.length === 0 && <p class="empty">No records. A record appears here when one of your parties holds it or has a share in it.</p>}
      <ul class="party-list">
        {data?.map((record) => (
          <li key={`${record.envelope_id} ${record.party_id} ${record.held_as}`}>
            <Item {...record} />
          </li>
        ))}
      </ul>
    </Screen>
  );
}

function Item({ envelope_name, org_name, party_name, held_as, state, sha256, stored_at, standing }: PersonRecord) {
  const [tone, words] = states[state];
  return (
    <article class="card stack tight">
      <h2>{envelope_name}</h2>
      <p>
        <Chip tone={tone}>{words}</Chip>
      </p>
      <Facts
        facts={[
          [held[held_as], party_name],
          ["Vault of", org_name],
          ["Compliance", standing === null ? "Not evaluated yet" : standings[standing]],
          ["Stored", <Moment key="stored" at={stored_at} />],
          ["SHA-256", <code key="hash">{sha256}</code>],
        ]}
      />
    </article>
  );
}
