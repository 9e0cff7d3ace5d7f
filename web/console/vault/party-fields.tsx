import type { SecuredParty, SecuredPartyInput } from "@countersign/client/types";
import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/secured-party/en.ts";

const w = en.partyFields;

export type PartyForm = Readonly<Record<keyof SecuredParty, string>>;

export const noParty: PartyForm = { name: "", role: "", address: "", email: "", identifier: "" };

/** Empty fields are left out. */
export function partyOf(form: PartyForm): SecuredPartyInput {
  const { name, ...others } = form;
  return { name: name.trim(), ...Object.fromEntries(Object.entries(others).filter(([, value]) => value.trim() !== "")) };
}

interface PartyFieldsProps {
  readonly value: PartyForm;
  readonly onChange: (value: PartyForm) => void;
  readonly sending: Sending;
  /** prefix of the fields in the request body */
  readonly at: "" | "secured_party.";
  readonly optional?: boolean;
}

export function PartyFields({ value, onChange, sending, at, optional = false }: PartyFieldsProps) {
  const field = (name: keyof SecuredParty) => ({
    name: `${at}${name}`,
    value: value[name],
    onText: (text: string) => onChange({ ...value, [name]: text }),
    sending,
  });
  return (
    <>
      <TextField label={w.nameOfThe} {...field("name")} maxLength={300} optional={optional} required={!optional} autoComplete="off" />
      <div class="columns">
        <TextField label={w.role} {...field("role")} maxLength={100} optional placeholder={w.lender} />
        <TextField label={w.identifier} {...field("identifier")} maxLength={200} optional hint={w.forExampleA} />
        <TextField label={w.eMailAddress} {...field("email")} type="email" optional />
      </div>
      <TextField label={w.address} {...field("address")} maxLength={500} optional />
    </>
  );
}
