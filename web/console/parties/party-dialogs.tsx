import type { AddPartyPersonRequest, CreatePartyRequest, Party, PartyPersonInput, UpdatePartyRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { changedIn } from "../parts/changed.ts";
import { choicesOf } from "../parts/choices.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Sending, useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/parties/en.ts";
import { rightsWords } from "./words.ts";

const w = en.partyDialogs;

interface DialogProps<T> {
  readonly onSend: (body: T) => Promise<unknown>;
  readonly onClose: () => void;
}

const blank = { name: "", identifier: "", address: "" };
type Details = typeof blank;

export function NewPartyDialog({ onSend, onClose }: DialogProps<CreatePartyRequest>) {
  const sending = useSending();
  const [kind, setKind] = useState<Party["kind"]>("people");
  const [details, setDetails] = useState(blank);
  const [org_id, setOrg] = useState("");
  const [vault_id, setVault] = useState("");
  const [person, setPerson] = useState({ name: "", email: "" });
  const hasPerson = person.name.trim() !== "" || person.email.trim() !== "";
  const send = () =>
    onSend({
      kind,
      ...filled(details),
      ...(kind === "org" && { org_id: org_id.trim() }),
      ...(kind === "vault" && { vault_id }),
      ...(kind === "people" &&
        hasPerson && { people: [{ name: person.name.trim(), email: person.email.trim(), rights: "approve" as const }] }),
    });
  return (
    <Dialog title={w.newParty} onClose={onClose}>
      <Form sending={sending} onSend={send}>
        <DetailFields value={details} onChange={setDetails} sending={sending} />
        <SelectField
          label={w.whoConfirmsFor}
          name="kind"
          value={kind}
          choices={[
            ["people", w.peopleWithA],
            ["org", w.anotherOrganizationOf],
            ["vault", w.anOrganizationOf],
          ]}
          onChoice={setKind}
          sending={sending}
        />
        {kind === "vault" && <VaultField value={vault_id} onChoice={setVault} sending={sending} />}
        {kind === "org" && (
          <TextField
            label={w.organizationId}
            name="org_id"
            required
            value={org_id}
            onText={setOrg}
            sending={sending}
            placeholder="org_…"
            hint={w.askAnAdmin}
          />
        )}
        {kind === "people" && (
          <fieldset class="stack">
            <legend>{w.firstPerson}</legend>
            <p class="quiet small">{w.youNameThe}</p>
            <div class="columns">
              <TextField
                label={w.name}
                name="people[0].name"
                value={person.name}
                onText={(name) => setPerson({ ...person, name })}
                sending={sending}
                autoComplete="off"
                optional
              />
              <TextField
                label={w.eMailAddress}
                name="people[0].email"
                type="email"
                value={person.email}
                onText={(email) => setPerson({ ...person, email })}
                sending={sending}
                autoComplete="off"
                optional
              />
            </div>
          </fieldset>
        )}
        <Buttons sending={sending} button={w.addParty} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

// More than an organization pins; others are named with the API.
const MOST_VAULTS = 100;

function VaultField({ value, onChoice, sending }: { value: string; onChoice: (vault_id: string) => void; sending: Sending }) {
  const loaded = useLoad("vaults of parties", () => list("list_remote_vaults", { query: { page: 1, limit: MOST_VAULTS } }));
  const vaults = loaded.data?.data ?? [];
  return (
    <SelectField
      label={w.pinnedVault}
      name="vault_id"
      value={value}
      choices={[["", w.choose], ...vaults.map(({ vault_id, name }) => [vault_id, name] as const)]}
      onChoice={onChoice}
      sending={sending}
      hint={vaults.length === 0 ? w.pinTheInstallation : w.aMemberOf}
    />
  );
}

const filled = ({ name, identifier, address }: Details) => ({
  name: name.trim(),
  ...(identifier.trim() !== "" && { identifier: identifier.trim() }),
  ...(address.trim() !== "" && { address: address.trim() }),
});

export function ChangePartyDialog({ party, onSend, onClose }: DialogProps<UpdatePartyRequest> & { readonly party: Party }) {
  const sending = useSending();
  const [details, setDetails] = useState({ name: party.name, identifier: party.identifier ?? "", address: party.address ?? "" });
  const textOrNull = (text: string) => (text.trim() === "" ? null : text.trim());
  const send = () => {
    const { name, identifier, address } = details;
    return onSend(changedIn({ name: name.trim(), identifier: textOrNull(identifier), address: textOrNull(address) }, party));
  };
  return (
    <Dialog title={w.changeParty} onClose={onClose}>
      <Form sending={sending} onSend={send}>
        <p class="quiet small">{w.registersActsAnd}</p>
        <DetailFields value={details} onChange={setDetails} sending={sending} />
        <Buttons sending={sending} button={w.save} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** `canBeLost`: an approver has logged in, so the party decides, unless none of its approvers can be reached. */
export function AddPersonDialog({ canBeLost, onSend, onClose }: DialogProps<AddPartyPersonRequest> & { readonly canBeLost: boolean }) {
  const [isLost, setLost] = useState(false);
  const [reason, setReason] = useState("");
  const sending = useSending();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [rights, setRights] = useState<PartyPersonInput["rights"]>("approve");
  return (
    <Dialog title={w.addPerson} onClose={onClose}>
      <Form
        sending={sending}
        onSend={() =>
          onSend({ name: name.trim(), email: email.trim(), rights, ...(isLost && { approvers_lost: true, reason: reason.trim() }) })
        }
      >
        <TextField label={w.name} name="name" required value={name} onText={setName} sending={sending} autoComplete="off" />
        <TextField
          label={w.eMailAddress}
          name="email"
          required
          type="email"
          value={email}
          onText={setEmail}
          sending={sending}
          autoComplete="off"
        />
        <SelectField
          label={w.rights}
          name="rights"
          value={rights}
          choices={choicesOf(rightsWords)}
          onChoice={setRights}
          sending={sending}
        />
        {canBeLost && (
          <SelectField
            label={w.whoDecides}
            name="approvers_lost"
            value={isLost ? "admins" : "party"}
            choices={[
              ["party", w.oneOfThe],
              ["admins", w.anotherAdminNo],
            ]}
            onChoice={(who) => setLost(who === "admins")}
            sending={sending}
            {...(isLost && {
              hint: w.allPeopleWhose,
            })}
          />
        )}
        {isLost && (
          <TextField label={w.reason} name="reason" required value={reason} onText={setReason} maxLength={500} sending={sending} />
        )}
        <Buttons sending={sending} button={w.addPerson} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface DetailFieldsProps {
  readonly value: Details;
  readonly onChange: (value: Details) => void;
  readonly sending: Sending;
}

function DetailFields({ value, onChange, sending }: DetailFieldsProps) {
  return (
    <>
      <TextField
        label={w.name}
        name="name"
        required
        value={value.name}
        onText={(name) => onChange({ ...value, name })}
        sending={sending}
        autoComplete="off"
        hint={w.theFullLegal}
      />
      <TextField
        label={w.identifier}
        name="identifier"
        value={value.identifier}
        onText={(identifier) => onChange({ ...value, identifier })}
        sending={sending}
        autoComplete="off"
        hint={w.aRegistrationNumber}
        optional
      />
      <TextField
        label={w.address}
        name="address"
        value={value.address}
        onText={(address) => onChange({ ...value, address })}
        sending={sending}
        autoComplete="off"
        optional
      />
    </>
  );
}

function Buttons({ sending, button, onClose }: { sending: Sending; button: string; onClose: () => void }) {
  return (
    <div class="buttons end">
      <button type="button" class="button" onClick={onClose}>
        {w.cancel}
      </button>
      <SubmitButton sending={sending}>{button}</SubmitButton>
    </div>
  );
}
