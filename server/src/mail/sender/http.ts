import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../../http/endpoint.ts";
import { about, Email, isoOrNull, Name, named, nullable, OptionalTimestamp } from "../../http/shapes.ts";
import type { OrgId } from "../../shared/ids.ts";
import { checkSender } from "./check-sender.ts";
import { recordsOf } from "./records.ts";
import { removeSender } from "./remove-sender.ts";
import { type MailSender, openServer, recordNames, recordStates, type SenderDeps } from "./sender.ts";
import { setSender } from "./set-sender.ts";
import { lookUpSender } from "./store.ts";

const server = {
  host: Type.String({ minLength: 1, maxLength: 253, description: "A public name or address" }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  secure: Type.Boolean({ description: "true: TLS from the first byte (usually port 465). false: STARTTLS is required (usually port 587)" }),
  user: nullable(Type.String({ minLength: 1, maxLength: 200 })),
};
const ServerBody = named(
  "MailSenderServer",
  Type.Object({ ...server, password: about(nullable(Type.String({ minLength: 1, maxLength: 500 })), "Stored encrypted and never shown") }),
);
const ServerView = named("MailSenderServerState", Type.Object(server));
const RecordView = named(
  "MailSenderRecord",
  Type.Object({
    record: named("MailSenderRecordName", Type.Enum([...recordNames])),
    name: Type.String({ description: "The name under which the TXT record is published" }),
    value: Type.String({ description: "For DKIM the text to publish. For SPF and DMARC a suggestion, if you have no record yet" }),
    state: about(
      nullable(named("MailSenderRecordState", Type.Enum([...recordStates]))),
      "What the last check found; `unknown` if the name servers did not answer. Null before the first check",
    ),
    found: Type.Array(Type.String(), { description: "The texts of this kind that the last check found" }),
  }),
);
const SenderView = named(
  "MailSender",
  Type.Object({
    from_name: Type.String(),
    from_address: Type.String(),
    smtp: about(nullable(ServerView), "Your own mail server; null: that of the installation"),
    records: Type.Array(RecordView),
    checked_at: OptionalTimestamp,
    verified_at: about(OptionalTimestamp, "Null: e-mails come from the installation's address until a check finds the DKIM record"),
  }),
);
const StateView = named("MailSenderState", Type.Object({ sender: nullable(SenderView) }));
const RemovedView = named("RemovedMailSender", Type.Object({ removed: Type.Literal(true) }));

const request = { from_name: "Harbor Dental Group", from_address: "sign@harbor.example", smtp: null };
const record = { record: "dkim", name: "countersign-4f1c9a7b._domainkey.harbor.example", value: "v=DKIM1; k=rsa; p=MIIBIjANBgkq" };
const example = {
  sender: { ...request, records: [{ ...record, state: null, found: [] }], checked_at: null, verified_at: null },
};

function present(deps: SenderDeps, org: OrgId, sender: MailSender | null) {
  if (sender === null) return { sender: null };
  const own = openServer(deps, org, sender);
  return {
    sender: {
      from_name: sender.from_name,
      from_address: sender.from_address,
      smtp: own === null ? null : { host: own.host, port: own.port, secure: own.secure, user: own.user },
      records: recordsOf(sender).map(({ record, name, value }) => ({
        record,
        name,
        value,
        state: sender.checks?.[record].state ?? null,
        found: [...(sender.checks?.[record].found ?? [])],
      })),
      checked_at: isoOrNull(sender.checked_at),
      verified_at: isoOrNull(sender.verified_at),
    },
  };
}

const shared = { resource: "Organization", access: { permission: "mail:manage" }, path: "/org/mail-sender" } as const;

/** The organization's own sender of e-mails. */
export function mailSenderEndpoints(deps: SenderDeps): Endpoint[] {
  return [
    reading({
      name: "get_mail_sender",
      summary: "Get the organization's e-mail sender",
      description:
        "Returns the organization's own sender address with the DNS records to publish and what the last check found. `sender` is null if there is none and e-mails come from the installation's address.",
      sdk: "mailSender.get",
      ...shared,
      answer: [200, StateView],
      examples: { answer: example },
      run: async ({ org }, _input, read) => present(deps, org, await lookUpSender(read, org)),
    }),
    endpoint({
      name: "set_mail_sender",
      summary: "Set the organization's e-mail sender",
      stepUp: true,
      description:
        "Sets the address and name that e-mails to signers come from, and makes a key that signs them (DKIM). Publish the returned records, then check them. Until the DKIM record was found, the installation's address is used. With `smtp`, e-mails go out by your own mail server; leave it out to keep the stored one.",
      sdk: "mailSender.set",
      method: "PUT",
      ...shared,
      body: Type.Object({
        from_name: Name,
        from_address: Email,
        smtp: Type.Optional(nullable(ServerBody)),
        new_key: Type.Optional(Type.Boolean({ description: "true replaces the key; its record has to be published and checked again" })),
      }),
      answer: [200, StateView],
      problems: ["mail_server_missing", "mail_sender_changed"],
      examples: { request, answer: example },
      prepare: (admin, { body }) => setSender.prepare(deps, admin, body),
      run: async (admin, { body }, made) => present(deps, admin.org, await setSender.save(deps, admin, body, made)),
    }),
    endpoint({
      name: "check_mail_sender",
      summary: "Check the DNS records of the e-mail sender",
      description:
        "Looks up the DKIM, SPF and DMARC records. When the DKIM record is found, e-mails come from your address from then on. When it is no longer found, they come from the installation's address again.",
      sdk: "mailSender.check",
      method: "POST",
      ...shared,
      path: "/org/mail-sender/check",
      answer: [200, StateView],
      problems: ["mail_sender_missing", "mail_sender_changed"],
      examples: { answer: example },
      prepare: (admin) => checkSender.prepare(deps, admin),
      run: async (admin, _input, checked) => present(deps, admin.org, await checkSender.save(deps, admin, checked)),
    }),
    endpoint({
      name: "remove_mail_sender",
      summary: "Remove the organization's e-mail sender",
      stepUp: true,
      description:
        "Removes the sender and erases its key. E-mails come from the installation's address again. Removing it again changes nothing.",
      sdk: "mailSender.remove",
      method: "DELETE",
      ...shared,
      answer: [200, RemovedView],
      examples: { answer: { removed: true } },
      run: async (admin) => {
        await removeSender(deps, admin);
        return { removed: true } as const;
      },
    }),
  ];
}
