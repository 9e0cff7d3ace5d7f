import type { OrganizationDomain, OrganizationSecurity, Role, SsoConnection, SsoConnections } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { openWindow, whenFinished } from "../account/sso-window.ts";
import { call, listAll } from "../api.ts";
import { allRoles, roleNames } from "../members/api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { AreaField, Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { refusedFields } from "../refused-fields.ts";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en as settings } from "../words/settings/en.ts";
import { en } from "../words/sso/en.ts";
import type { PartProps } from "./part.tsx";

const words = en.settings;

/** what a form of this card reports: whether it has something that is not saved */
type Reports = Pick<PartProps, "onChanged">;

/** Domains, identity providers, and whether members must use them. For those who manage security. */
export function SsoPart({ title, onChanged }: Reports & { readonly title: string }) {
  const domains = useLoad("domains", () => call("get_domains"));
  const connections = useLoad("sso connections", () => call("get_sso_connections"));
  const security = useLoad("sso security", () => call("get_security"));
  return (
    <Card title={title}>
      <p class="quiet">{words.lead}</p>
      <Pending of={domains} />
      <Pending of={connections} />
      <Pending of={security} />
      {domains.data !== null && <Domains domains={domains.data.domains} onDone={domains.reload} onChanged={onChanged} />}
      {connections.data !== null && <Connections {...connections.data} onDone={connections.reload} onChanged={onChanged} />}
      {security.data !== null && <Mode security={security.data} onSaved={security.put} onChanged={onChanged} />}
    </Card>
  );
}

interface DomainsProps extends Reports {
  readonly domains: readonly OrganizationDomain[];
  readonly onDone: () => void;
}

function Domains({ domains, onDone, onChanged }: DomainsProps) {
  const sending = useSending();
  const [domain, setDomain] = useState("");
  const isTyped = domain.trim() !== "";
  useEffect(() => onChanged(words.domain, isTyped), [isTyped]);
  const add = async () => {
    await call("add_domain", { body: { domain: domain.trim() } });
    setDomain("");
    onDone();
  };
  return (
    <section class="stack">
      <h3>{words.domains}</h3>
      {domains.length === 0 && <p class="quiet">{words.noDomains}</p>}
      {domains.map((one) => (
        <DomainRow key={one.domain_id} domain={one} onDone={onDone} />
      ))}
      <Form sending={sending} onSend={add}>
        <TextField label={words.domain} name="domain" placeholder="example.com" value={domain} onText={setDomain} sending={sending} />
        <div class="buttons">
          <SubmitButton sending={sending} kind="plain">
            {words.add}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** What an admin takes to the settings of another system. */
const Copied = ({ text, what }: { text: string; what: string }) => (
  <div class="copied">
    <code>{text}</code>
    <Copy text={text} what={what} />
  </div>
);

const proofOf = ({ verified_at, method }: OrganizationDomain): string => {
  if (verified_at === null) return words.unverified;
  return method === "mail" ? words.verifiedByMail : words.verified;
};

function DomainRow({ domain, onDone }: { domain: OrganizationDomain; onDone: () => void }) {
  const sending = useSending();
  const [isRemoving, setRemoving] = useState(false);
  const params = { domain_id: domain.domain_id };
  const isVerified = domain.verified_at !== null;
  const act = (run: () => Promise<unknown>) => async () => {
    await run();
    onDone();
  };
  return (
    <div class="stack tight">
      <p>
        <strong>{domain.domain}</strong> <Chip tone={isVerified ? "good" : "waiting"}>{proofOf(domain)}</Chip>
      </p>
      {domain.failing_since !== null && <p class="notice bad">{words.failing}</p>}
      {!isVerified && (
        <>
          <p>{words.record}</p>
          <Facts
            facts={[
              [words.recordName, <Copied key="name" text={domain.record_name} what={words.copiedName(domain.domain)} />],
              [words.recordValue, <Copied key="value" text={domain.record_value} what={words.copiedValue(domain.domain)} />],
            ]}
          />
          {domain.mailed_to !== null && <p class="quiet">{words.mailed(domain.mailed_to)}</p>}
        </>
      )}
      <div class="buttons">
        {!isVerified && (
          <>
            <ActionButton sending={sending} onAction={act(() => call("verify_domain", { params, body: { method: "dns" } }))}>
              {words.verify}
            </ActionButton>
            <ActionButton
              sending={sending}
              onAction={act(() => call("verify_domain", { params, body: { method: "mail", mailbox: "postmaster" } }))}
            >
              {words.mail}
            </ActionButton>
          </>
        )}
        <button type="button" class="button" aria-label={words.removeOf(domain.domain)} onClick={() => setRemoving(true)}>
          {words.remove}
        </button>
      </div>
      <ErrorNotice error={sending.error} />
      {isRemoving && (
        <Confirm
          title={words.removeTitle(domain.domain)}
          button={words.remove}
          kind="danger"
          onConfirm={act(() => call("remove_domain", { params }))}
          onClose={() => setRemoving(false)}
        >
          <p>{words.removeLead}</p>
        </Confirm>
      )}
    </div>
  );
}

function Connections({ connections, redirect_uri, onDone, onChanged }: SsoConnections & Reports & { readonly onDone: () => void }) {
  return (
    <section class="stack">
      <h3>{words.connections}</h3>
      {connections.length === 0 && <p class="quiet">{words.noConnections}</p>}
      <p>{words.register}</p>
      <Copied text={redirect_uri} what={words.copiedAddress} />
      {connections.map((one) => (
        <ConnectionRow key={one.connection_id} connection={one} onDone={onDone} />
      ))}
      <NewConnection onCreated={onDone} onChanged={onChanged} />
    </section>
  );
}

function ConnectionRow({ connection, onDone }: { connection: SsoConnection; onDone: () => void }) {
  const sending = useSending();
  const [tested, setTested] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const params = { connection_id: connection.connection_id };
  const change = async (state: "active" | "disabled") => {
    await call("update_sso_connection", { params, body: { state } });
    onDone();
  };
  const [waiting, setWaiting] = useState<AbortController | null>(null);
  useEffect(() => () => waiting?.abort(), [waiting]);
  const test = async () => {
    setTested(null);
    const other = openWindow();
    if (other === null) throw refusedFields(en.confirm.blocked, []);
    const given = new AbortController();
    const finished = whenFinished(given.signal);
    try {
      other.location.href = (await call("test_sso_connection", { params })).redirect_url;
    } catch (error) {
      given.abort();
      other.close();
      throw error;
    }
    setWaiting(given);
    const result = await finished;
    setWaiting(null);
    if (result === null) return;
    if (result.status !== "tested") throw refusedFields(result.message ?? "", []);
    setTested(result.email ?? "");
    onDone();
  };
  const remove = async () => {
    await call("remove_sso_connection", { params });
    onDone();
  };
  return (
    <div class="stack tight">
      <p>
        <strong>{connection.name}</strong>{" "}
        <Chip tone={connection.state === "active" ? "good" : "plain"}>{words.states[connection.state]}</Chip>
      </p>
      <p class="quiet">{connection.issuer}</p>
      <div class="buttons">
        <ActionButton sending={sending} onAction={test}>
          {words.test}
        </ActionButton>
        {connection.state === "active" ? (
          <ActionButton sending={sending} onAction={() => change("disabled")}>
            {words.disable}
          </ActionButton>
        ) : (
          <ActionButton sending={sending} onAction={() => change("active")}>
            {words.enable}
          </ActionButton>
        )}
        <button type="button" class="button" aria-label={words.deleteOf(connection.name)} onClick={() => setDeleting(true)}>
          {words.delete}
        </button>
      </div>
      <p role="status">{waiting !== null ? words.waiting : tested === null ? "" : words.tested(tested)}</p>
      {waiting !== null && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => waiting.abort()}>
            {words.stopTest}
          </button>
        </div>
      )}
      <ErrorNotice error={sending.error} />
      {isDeleting && (
        <Confirm
          title={words.deleteTitle(connection.name)}
          button={words.delete}
          kind="danger"
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteLead}</p>
        </Confirm>
      )}
    </div>
  );
}

const defaultRoles: readonly (readonly [Role | "", string])[] = [["", words.noRole], ...allRoles];
const names = ["name", "issuer", "client_id", "client_secret", "role_claim"] as const;
const empty = { name: "", issuer: "", client_id: "", client_secret: "", role_claim: "" };

function NewConnection({ onCreated, onChanged }: Reports & { readonly onCreated: () => void }) {
  const sending = useSending();
  const [typed, setTyped] = useState<Readonly<Record<(typeof names)[number], string>>>(empty);
  const [rules, setRules] = useState("");
  const [role, setRole] = useState<Role | "">("member");
  const [isProvisioning, setProvisioning] = useState(true);
  const isTyped = [...Object.values(typed), rules].some((text) => text.trim() !== "");
  useEffect(() => onChanged(words.create, isTyped), [isTyped]);
  const create = async () => {
    const { role_claim, ...others } = typed;
    await call("create_sso_connection", {
      body: {
        ...others,
        role_claim: role_claim.trim() === "" ? null : role_claim.trim(),
        role_map: rulesOf(rules),
        default_role: role === "" ? null : role,
        provision: isProvisioning ? "create" : "off",
      },
    });
    setTyped(empty);
    setRules("");
    onCreated();
  };
  const field = (name: (typeof names)[number], label: string, hint?: string) => (
    <TextField
      label={label}
      name={name}
      {...(hint !== undefined && { hint })}
      type={name === "client_secret" ? "password" : "text"}
      required={name !== "role_claim"}
      optional={name === "role_claim"}
      autoComplete="off"
      value={typed[name]}
      onText={(text) => setTyped({ ...typed, [name]: text })}
      sending={sending}
    />
  );
  return (
    <details class="opened-by-words">
      <summary>{words.create}</summary>
      <Form sending={sending} onSend={create} wide>
        {field("name", words.name)}
        {field("issuer", words.issuer, words.issuerHint)}
        {field("client_id", words.clientId)}
        {field("client_secret", words.clientSecret, words.secretHint)}
        {field("role_claim", words.roleClaim, words.roleClaimHint)}
        <AreaField
          label={words.rules}
          name="role_map"
          optional
          hint={words.rulesHint(Object.values(roleNames))}
          value={rules}
          onText={setRules}
          sending={sending}
        />
        <SelectField
          label={words.defaultRole}
          name="default_role"
          value={role}
          choices={defaultRoles}
          onChoice={setRole}
          sending={sending}
        />
        <Checkbox label={words.provision} checked={isProvisioning} onCheck={setProvisioning} />
        <div class="buttons">
          <SubmitButton sending={sending}>{words.createButton}</SubmitButton>
        </div>
      </Form>
    </details>
  );
}

/** Lines such as `countersign-admins=Admin`. The API's names of the roles are accepted too. */
function rulesOf(text: string): { value: string; role: Role }[] {
  const refuse = (message: string) => refusedFields(message, [{ field: "role_map", message }]);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const at = line.lastIndexOf("=");
    if (at < 1) throw refuse(words.wrongRule);
    const given = line.slice(at + 1).trim();
    const role = roleOf(given);
    if (role === null) throw refuse(words.wrongRole(given, Object.values(roleNames)));
    return { value: line.slice(0, at).trim(), role };
  });
}

const roleOf = (given: string): Role | null =>
  allRoles.find(([role, name]) => [role, name.toLowerCase()].includes(given.toLowerCase()))?.[0] ?? null;

interface ModeProps extends Reports {
  readonly security: OrganizationSecurity;
  readonly onSaved: (security: OrganizationSecurity) => void;
}

function Mode({ security, onSaved, onChanged }: ModeProps) {
  const sending = useSending();
  const people = useLoad("sso admins", () => listAll("list_members"));
  const [mode, setMode] = useState(security.sso_mode);
  const [chosen, setChosen] = useState<readonly string[]>(security.break_glass ?? []);
  const [isSaved, setSaved] = useState(false);
  const isChanged = mode !== security.sso_mode || [...chosen].sort().join() !== [...(security.break_glass ?? [])].sort().join();
  useEffect(() => onChanged(words.mode, isChanged), [isChanged]);
  const admins = (people.data ?? []).filter(({ role }) => role === "admin");
  // One admin, or that there is none.
  const named = ["break_glass", ...chosen.map((_, index) => `break_glass[${index}]`)];
  const wrong = named.map(sending.errorOf).find((message) => message !== null);
  const save = async () => {
    setSaved(false);
    onSaved(await call("update_security", { body: { sso_mode: mode, break_glass: [...chosen] } }));
    setSaved(true);
  };
  return (
    <Form sending={sending} onSend={save} shown={["sso_mode", ...named]} wide>
      <SelectField
        label={words.mode}
        name="sso_mode"
        hint={words.modeHint}
        value={mode}
        choices={words.modes}
        onChoice={setMode}
        sending={sending}
      />
      <fieldset class="stack tight" {...(wrong !== undefined && { "aria-describedby": "break-glass", "data-wrong": true, tabIndex: -1 })}>
        <legend>{words.breakGlass}</legend>
        <p class="quiet">{words.breakGlassHint}</p>
        <ErrorNotice error={people.error} onRetry={people.reload} />
        {admins.map(({ user_id, name, email }) => (
          <Checkbox
            key={user_id}
            label={`${name} (${email})`}
            checked={chosen.includes(user_id)}
            onCheck={(isOn) => setChosen(isOn ? [...chosen, user_id] : chosen.filter((one) => one !== user_id))}
          />
        ))}
        {wrong !== undefined && (
          <p class="error" id="break-glass">
            {words.breakGlass} {wrong}
          </p>
        )}
      </fieldset>
      <div class="save-line">
        <SubmitButton sending={sending}>{words.save}</SubmitButton>
        {isChanged && !sending.isBusy && <p class="quiet">{settings.unsaved}</p>}
        <p class="saved" role="status">
          {isSaved && !isChanged ? words.saved : ""}
        </p>
      </div>
    </Form>
  );
}
