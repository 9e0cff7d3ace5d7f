import type { Member, OrganizationSettings } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

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
  const choices = [["", "No default"], ...people.map(({ user_id, name, email }) => [user_id, `${name}, ${email}`])] as [string, string][];
  return (
    <SettingsPart title="Vault" sending={sending} changes={changes} onSaved={saved} onChanged={onChanged}>
      <div class="columns">
        <TextField
          label="Minimum retention in days"
          name="min_retention_days"
          type="number"
          inputMode="numeric"
          min={1}
          max={36_500}
          hint={`${yearsOf(Number(days))}Counted from the day a document is stored in the vault. You can extend it for a document, but never shorten it.`}
          value={days}
          onText={setDays}
          sending={sending}
        />
        <SelectField
          label="Default custodian"
          name="default_custodian_user_id"
          hint="The custodian of newly stored documents. Without a default it is the member who accepted the terms, otherwise the oldest admin."
          value={custodian ?? ""}
          choices={choices}
          onChoice={(value) => setCustodian(value === "" ? null : value)}
          sending={sending}
        />
      </div>
      <SelectField
        label="Changes of control"
        name="control_policy"
        hint="Who must agree when a vaulted record is assigned, pledged, moved or given out. Lenders should ask for confirmation. Transferable records and chattel paper always need it."
        value={policy}
        choices={[
          ["attested", "A party without an approver is not asked; the checks say so"],
          ["confirmed", "Each party confirms with a credential of its own"],
        ]}
        onChoice={setPolicy}
        sending={sending}
      />
      <Checkbox
        label="Require an external time-stamp"
        checked={isTimed}
        onCheck={setTimed}
        hint="The audit trail check then fails for documents without a token from a time-stamping authority. The operator of the service configures the authority."
      />
      <Checkbox
        label="Show names on status pages"
        checked={areShown}
        onCheck={setShown}
        hint="The public status page of a document then names your organization and the secured party. Anyone with the address on the certificate can open it."
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
