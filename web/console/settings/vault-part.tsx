import type { Member, OrganizationSettings } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { formatTenths } from "../format-number.ts";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/settings/en.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

const words = en.vault;

const YEAR_DAYS = 365;

/** Retention, default custodian, time-stamps and status pages of vaulted documents. */
export function VaultPart({ settings, people, onSaved, onChanged }: PartProps & { readonly people: readonly Member[] }) {
  const sending = useSending();
  const [days, setDays] = useState(String(settings.min_retention_days));
  const [custodian, setCustodian] = useState(settings.default_custodian_user_id);
  const [policy, setPolicy] = useState(settings.control_policy);
  const [isTimed, setTimed] = useState(settings.require_external_time);
  const [areShown, setShown] = useState(settings.status_shows_parties);
  const changes = {
    // An invalid number is sent as null, so that the service reports what is allowed.
    ...(days.trim() !== String(settings.min_retention_days) && { min_retention_days: days.trim() === "" ? Number.NaN : Number(days) }),
    ...(custodian !== settings.default_custodian_user_id && { default_custodian_user_id: custodian }),
    ...(policy !== settings.control_policy && { control_policy: policy }),
    ...(isTimed !== settings.require_external_time && { require_external_time: isTimed }),
    ...(areShown !== settings.status_shows_parties && { status_shows_parties: areShown }),
  };
  const saved = (now: OrganizationSettings) => {
    setDays(String(now.min_retention_days));
    onSaved(now);
  };
  const choices = [["", words.noDefault], ...people.map(({ user_id, name, email }) => [user_id, words.person(name, email)])] as [
    string,
    string,
  ][];
  return (
    <SettingsPart title={words.title} sending={sending} changes={changes} onSaved={saved} onChanged={onChanged}>
      <div class="columns">
        <TextField
          label={words.retention}
          name="min_retention_days"
          required
          type="number"
          inputMode="numeric"
          min={1}
          max={36_500}
          hint={words.retentionHint(yearsOf(Number(days)))}
          value={days}
          onText={setDays}
          sending={sending}
        />
        <SelectField
          label={words.custodian}
          name="default_custodian_user_id"
          hint={words.custodianHint}
          value={custodian ?? ""}
          choices={choices}
          onChoice={(value) => setCustodian(value === "" ? null : value)}
          sending={sending}
        />
      </div>
      <SelectField
        label={words.control}
        name="control_policy"
        hint={words.controlHint}
        value={policy}
        choices={[
          ["attested", words.attested],
          ["confirmed", words.confirmed],
        ]}
        onChoice={setPolicy}
        sending={sending}
      />
      <Checkbox label={words.time} checked={isTimed} onCheck={setTimed} hint={words.timeHint} />
      <Checkbox label={words.names} checked={areShown} onCheck={setShown} hint={words.namesHint} />
    </SettingsPart>
  );
}

function yearsOf(days: number): string {
  const years = days / YEAR_DAYS;
  if (!(years >= 1)) return "";
  return words.years(formatTenths(years));
}
