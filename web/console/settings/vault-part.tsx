import type { Member, OrganizationSettings } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

const YEAR_DAYS = 365;

/** How vaulted documents are kept. */
export function VaultPart({ settings, people, onSaved, onChanged }: PartProps & { readonly people: readonly Member[] }) {
  const sending = useSending();
  const [days, setDays] = useState(String(settings.min_retention_days));
  const [custodian, setCustodian] = useState(settings.default_custodian_user_id);
  const [isTimed, setTimed] = useState(settings.require_external_time);
  const changes = {
    // What is no number becomes null, against which the service says what it takes.
    ...(days.trim() !== String(settings.min_retention_days) && { min_retention_days: days.trim() === "" ? Number.NaN : Number(days) }),
    ...(custodian !== settings.default_custodian_user_id && { default_custodian_user_id: custodian }),
    ...(isTimed !== settings.require_external_time && { require_external_time: isTimed }),
  };
  const saved = (now: OrganizationSettings) => {
    setDays(String(now.min_retention_days));
    onSaved(now);
  };
  const choices = [["", "Nobody in particular"], ...people.map(({ user_id, name, email }) => [user_id, `${name}, ${email}`])] as [
    string,
    string,
  ][];
  return (
    <SettingsPart title="Vault" sending={sending} changes={changes} onSaved={saved} onChanged={onChanged}>
      <div class="columns">
        <TextField
          label="Least retention, in days"
          name="min_retention_days"
          type="number"
          inputMode="numeric"
          min={1}
          max={36_500}
          hint={`${yearsOf(Number(days))}How long a document is kept at least, from the day it is vaulted. For one document it can be made longer, never shorter.`}
          value={days}
          onText={setDays}
          sending={sending}
        />
        <SelectField
          label="Default custodian"
          name="default_custodian_user_id"
          hint="Who keeps a document once it is vaulted. Nobody in particular: whoever accepted the terms, else the oldest admin."
          value={custodian ?? ""}
          choices={choices}
          onChoice={(value) => setCustodian(value === "" ? null : value)}
          sending={sending}
        />
      </div>
      <Checkbox
        label="Require an external time stamp"
        checked={isTimed}
        onCheck={setTimed}
        hint="The check of the audit trail then fails for documents without a token of a time-stamping authority. Whoever runs the service sets the authority up."
      />
    </SettingsPart>
  );
}

function yearsOf(days: number): string {
  const years = days / YEAR_DAYS;
  if (!(years >= 1)) return "";
  const words = years.toLocaleString("en", { maximumFractionDigits: 1 });
  return `About ${words} ${words === "1" ? "year" : "years"}. `;
}
