import type { PersonRecord } from "@countersign/client/pages";
import { call } from "../api.ts";
import { Chip, ErrorNotice, Facts, Moment, Screen } from "../parts.tsx";
import { recordHref } from "../route.ts";
import { useLoad } from "../task.ts";
import { CopyState, standingWords } from "./copy-state.tsx";

const held: Record<PersonRecord["held_as"], string> = {
  controller: "Secured party",
  pledgee: "Pledgee",
  participant: "Participant",
  audit: "Audit by",
};

/** The records in which the person's parties hold something. */
export function Records() {
  const { data, error, reload } = useLoad("records", () => call("GET /records"));
  return (
    <Screen title="Records" lead="What the parties you act for hold or may audit, as the vaults of these organizations record it.">
      <ErrorNotice error={error} onRetry={reload} />
      {data?.length === 0 && (
        <p class="empty">No records. A record appears here when one of your parties holds it, has a share in it or may audit it.</p>
      )}
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

function Item({ envelope_id, envelope_name, org_name, party_name, held_as, state, sha256, stored_at, standing }: PersonRecord) {
  return (
    <article class="card stack tight">
      <h2>{envelope_name}</h2>
      <p>
        <CopyState state={state} /> {held_as === "audit" && <Chip>Audit</Chip>}
      </p>
      <Facts
        facts={[
          [held[held_as], party_name],
          ["Vault of", org_name],
          ["Compliance", standing === null ? "Not evaluated yet" : standingWords[standing]],
          ["Stored", <Moment key="stored" at={stored_at} />],
          ["SHA-256", <code key="hash">{sha256}</code>],
        ]}
      />
      {held_as === "audit" && (
        <p>
          <a href={recordHref(envelope_id)}>
            Open the record<span class="hidden-visually"> {envelope_name}</span>
          </a>
        </p>
      )}
    </article>
  );
}
