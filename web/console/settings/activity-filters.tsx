import type { ApiKey, Member } from "@countersign/client/types";
import { query, setQuery } from "../navigation.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { en } from "../words/org-activity/en.ts";
import { auditWords } from "./audit-words.ts";

const words = en.filters;

/** The browser's Back button undoes a choice. */
const choose = (changes: Parameters<typeof setQuery>[0]): void => setQuery(changes, { replace: false });

export const filterNames = ["actor_id", "type", "from", "to"] as const;

/** Acts on an organization; those on an envelope are on its page. */
const OF_ORG =
  /^(org|database|log|instance_key|seal|settings|mail_text|mail_sender|member|invitation|password|email|account|session|browser|login|key|template|tag|form|customers?|endpoint|party|registry|audit_grant|remote_vault|audit_sink)\./;

const acts = Object.entries(auditWords)
  .filter(([type]) => OF_ORG.test(type))
  .sort(([, one], [, other]) => one.localeCompare(other));

interface ActivityFiltersProps {
  readonly members: readonly Member[];
  readonly keys: readonly ApiKey[];
}

/** All are in the address, so that a link shows the same entries. */
export function ActivityFilters({ members, keys }: ActivityFiltersProps) {
  const given = query.value;
  const [actor, type] = [given.get("actor_id") ?? "", given.get("type") ?? ""];
  const people = [
    ...members.map(({ user_id, name }) => [user_id, name] as const),
    ...keys.map(({ key_id, partner_name }) => [key_id, words.key(partner_name)] as const),
  ];
  return (
    <div class="filters activity-filters">
      <SelectField
        label={words.person}
        name="actor_id"
        value={actor}
        choices={withChosen([["", words.anyone], ...people], actor, en.actors.former)}
        onChoice={(actor_id) => choose({ actor_id: actor_id || null })}
      />
      <SelectField
        label={words.act}
        name="type"
        value={type}
        choices={withChosen([["", words.anyAct], ...acts], type, auditWords[type] ?? type)}
        onChoice={(chosen) => choose({ type: chosen || null })}
      />
      <TextField label={words.from} name="from" type="date" value={given.get("from") ?? ""} onText={(from) => setQuery({ from })} />
      <TextField label={words.to} name="to" type="date" value={given.get("to") ?? ""} onText={(to) => setQuery({ to })} />
      {filterNames.some((name) => (given.get(name) ?? "") !== "") && (
        <button type="button" class="button quiet" onClick={() => choose(Object.fromEntries(filterNames.map((name) => [name, null])))}>
          {words.clear}
        </button>
      )}
    </div>
  );
}

/** What the address names is offered too, for example a member who has left. */
const withChosen = (choices: readonly (readonly [string, string])[], chosen: string, name: string) =>
  choices.some(([code]) => code === chosen) ? choices : [...choices, [chosen, name] as const];
