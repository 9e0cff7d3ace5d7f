import type { OrganizationSecurity } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { addressesOf, withLines } from "../keys/limits.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { refusedFields } from "../refused-fields.ts";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/security/en.ts";
import { en as settings } from "../words/settings/en.ts";

interface SecurityPartProps {
  readonly title: string;
  /** reports whether the card has unsaved changes */
  readonly onChanged: (part: string, isChanged: boolean) => void;
}

/** What the organization demands of log-ins, sessions, passwords, keys and recipients. */
export function SecurityPart({ title, onChanged }: SecurityPartProps) {
  const loaded = useLoad("security", () => call("get_security"));
  return (
    <Card title={title}>
      <p class="quiet">{words.lead}</p>
      <Pending of={loaded} />
      {loaded.data !== null && <SecurityForm security={loaded.data} onSaved={loaded.put} title={title} onChanged={onChanged} />}
    </Card>
  );
}

const numbers = ["grace_days", "remember_device_days", "idle_minutes", "max_hours", "min_password", "max_key_days"] as const;
type NumberName = (typeof numbers)[number];
type Typed = Readonly<Record<NumberName, string>>;

const typedOf = (security: OrganizationSecurity): Typed =>
  Object.fromEntries(numbers.map((name) => [name, String(security[name] ?? "")])) as Typed;

/** The addresses, one in each line. Only those who administer security get them. */
const linesOf = ({ allowed_cidrs = [] }: OrganizationSecurity): string => allowed_cidrs.join("\n");

interface SecurityFormProps extends SecurityPartProps {
  readonly security: OrganizationSecurity;
  readonly onSaved: (security: OrganizationSecurity) => void;
}

function SecurityForm({ security, title, onSaved, onChanged }: SecurityFormProps) {
  const sending = useSending();
  const [factor, setFactor] = useState(security.second_factor);
  const [typed, setTyped] = useState(() => typedOf(security));
  const [addresses, setAddresses] = useState(() => linesOf(security));
  const [level, setLevel] = useState(String(security.min_identity_level));
  const [embed, setEmbed] = useState(security.embed_identity);
  const [isSaved, setSaved] = useState(false);
  const saved = typedOf(security);
  const changed = numbers.filter((name) => typed[name].trim() !== saved[name]);
  const areAddressesChanged = addressesOf(addresses).join("\n") !== linesOf(security);
  const chosen = {
    ...(factor !== security.second_factor && { second_factor: factor }),
    ...(level !== String(security.min_identity_level) && { min_identity_level: Number(level) }),
    ...(embed !== security.embed_identity && { embed_identity: embed }),
  };
  const isChanged = changed.length > 0 || Object.keys(chosen).length > 0 || areAddressesChanged;
  useEffect(() => onChanged(title, isChanged), [isChanged]);
  const save = async () => {
    setSaved(false);
    const wrong = changed.filter((name) => !/^\d+$/.test(typed[name].trim()) && !(name === "max_key_days" && typed[name].trim() === ""));
    if (wrong.length > 0)
      throw refusedFields(
        settings.notSaved,
        wrong.map((field) => ({ field, message: words.notNumber })),
      );
    const values = changed.map((name) => [name, typed[name].trim() === "" ? null : Number(typed[name])]);
    const body = {
      ...Object.fromEntries(values),
      ...chosen,
      ...(areAddressesChanged && { allowed_cidrs: addressesOf(addresses) }),
    };
    if (isChanged) {
      const now = await call("update_security", { body });
      onSaved(now);
      setTyped(typedOf(now));
      setAddresses(linesOf(now));
    }
    setSaved(true);
  };
  const field = (name: NumberName) => (
    <TextField
      key={name}
      label={words.fields[name]}
      hint={words.hints[name]}
      name={name}
      optional={name === "max_key_days"}
      inputMode="numeric"
      value={typed[name]}
      onText={(text) => setTyped({ ...typed, [name]: text })}
      sending={sending}
    />
  );
  const lines = addressesOf(addresses).map((_, index) => `allowed_cidrs[${index}]`);
  return (
    <Form
      sending={sending}
      onSend={save}
      shown={["second_factor", ...numbers, "min_identity_level", "embed_identity", "allowed_cidrs", ...lines]}
      wide
    >
      <fieldset class="stack" disabled={!may("security:manage")}>
        <SelectField
          label={words.factor}
          name="second_factor"
          hint={words.factorHint}
          choices={words.factors}
          value={factor}
          onChoice={setFactor}
          sending={sending}
        />
        <div class="columns">{numbers.map(field)}</div>
        <SelectField
          label={words.identity}
          name="min_identity_level"
          hint={words.identityHint}
          choices={words.identities}
          value={level}
          onChoice={setLevel}
          sending={sending}
        />
        <SelectField
          label={words.embed}
          name="embed_identity"
          hint={words.embedHint}
          choices={words.embeds}
          value={embed}
          onChoice={setEmbed}
          sending={sending}
        />
        {security.allowed_cidrs !== undefined && (
          <AreaField
            label={words.addresses}
            hint={words.addressesHint}
            name="allowed_cidrs"
            value={addresses}
            onText={setAddresses}
            optional
            sending={withLines(sending, addresses)}
          />
        )}
      </fieldset>
      {may("security:manage") && (
        <div class="save-line">
          <SubmitButton sending={sending}>{settings.save}</SubmitButton>
          {isChanged && !sending.isBusy && <p class="quiet">{settings.unsaved}</p>}
          <p class="saved" role="status">
            {isSaved && !isChanged ? settings.saved("") : ""}
          </p>
        </div>
      )}
    </Form>
  );
}
