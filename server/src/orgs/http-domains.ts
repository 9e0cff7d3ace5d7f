import { Type } from "typebox";
import { DONE, Done, LinkToken } from "../accounts/shapes.ts";
import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, idOf, iso, isoOrNull, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { invalidField } from "../shared/problems.ts";
import { type Domain, type DomainDeps, mailboxes, proofMethods, recordName } from "./domain.ts";
import { addDomain, confirmDomain, mailDomainProof, proveByDns, removeDomain } from "./domain-proof.ts";
import { listDomains } from "./domain-store.ts";
import * as examples from "./examples.ts";

const Method = named("DomainProofMethod", Type.Enum([...proofMethods]));
const DomainView = named(
  "OrganizationDomain",
  Type.Object({
    domain_id: idOf("orgDomain"),
    domain: Type.String(),
    record_name: Type.String({ description: "The name under which the TXT record is published" }),
    record_value: Type.String({ description: "The text to publish" }),
    verified_at: about(OptionalTimestamp, "Null: the domain is not proved, or no longer"),
    method: about(nullable(Method), "How it was proved. A domain that is proved by `dns` is checked every day"),
    last_seen_at: about(OptionalTimestamp, "When the record was last found"),
    failing_since: about(OptionalTimestamp, "Since when the record is missing. After 30 days the domain is no longer verified"),
    mailed_to: about(nullable(Type.String()), "The mailbox that the last link was mailed to"),
    created_at: Timestamp,
  }),
);
const DomainsView = named("OrganizationDomains", Type.Object({ domains: Type.Array(DomainView) }));
const ConfirmedView = named("ConfirmedDomain", Type.Object({ domain: Type.String(), org_name: Type.String() }));
const DomainName = Type.String({
  maxLength: 253,
  pattern: "^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$",
  "x-message": "must be a domain such as example.com",
});

const presentDomain = (domain: Domain) => ({
  domain_id: domain.domain_id,
  domain: domain.domain,
  record_name: recordName(domain.domain),
  record_value: domain.token,
  verified_at: isoOrNull(domain.verified_at),
  method: domain.method,
  last_seen_at: isoOrNull(domain.last_seen_at),
  failing_since: isoOrNull(domain.failing_since),
  mailed_to: domain.mailed_to,
  created_at: iso(domain.created_at),
});

const shared = { resource: "Organization", access: { permission: "security:manage" } } as const;

/** The domains of an organization, whose addresses its identity provider may vouch for. */
export function domainEndpoints(deps: DomainDeps): Endpoint[] {
  return [
    reading({
      ...shared,
      name: "get_domains",
      summary: "Get the domains of the organization",
      description: "Returns the domains that the organization has added, newest first, with the record that proves each.",
      sdk: "organization.domains.get",
      path: "/org/domains",
      answer: [200, DomainsView],
      examples: { answer: { domains: [examples.domain] } },
      run: async ({ org }, _input, read) => ({ domains: (await listDomains(read, org)).map(presentDomain) }),
    }),
    endpoint({
      ...shared,
      name: "add_domain",
      followsLive: true,
      summary: "Add a domain",
      stepUp: true,
      description:
        "Adds a domain, which counts once it is proved. Single sign-on accepts only addresses in proved domains. A subdomain is a domain of its own. Domains that many people share, such as those of mail providers, return 422, and a domain that another organization has proved returns 409. An organization has at most 20.",
      sdk: "organization.domains.add",
      method: "POST",
      path: "/org/domains",
      body: Type.Object({ domain: DomainName }),
      answer: [201, DomainView],
      problems: ["domain_taken", "domain_exists", "too_many_domains"],
      examples: { request: { domain: "harbor.example" }, answer: examples.domain },
      run: async (admin, { body }) => presentDomain(await addDomain(deps, admin, body.domain)),
    }),
    endpoint({
      ...shared,
      name: "verify_domain",
      followsLive: true,
      summary: "Prove a domain",
      stepUp: true,
      description:
        "With `dns`, looks for the TXT record and verifies the domain if it is there. With `mail`, mails a link to `mailbox` of the domain, which works for 24 hours; the domain is verified when it is used. Returns 409 if the record is missing.",
      sdk: "organization.domains.verify",
      method: "POST",
      path: "/org/domains/:domain_id/verify",
      params: { domain_id: "orgDomain" },
      missing: "domain_not_found",
      // Asks name servers.
      idempotent: false,
      body: Type.Object({ method: Method, mailbox: Type.Optional(named("DomainMailbox", Type.Enum([...mailboxes]))) }),
      answer: [200, DomainView],
      problems: ["domain_not_proven", "domain_taken", "domain_verified", "mail_server_missing", "name_servers_away"],
      examples: { request: { method: "dns" }, answer: examples.verifiedDomain },
      run: async (admin, { params, body: { method, mailbox } }) => {
        if (method === "dns") return presentDomain(await proveByDns(deps, admin, params.domain_id));
        if (mailbox === undefined) throw invalidField("mailbox", "required", "is required with the method mail");
        return presentDomain(await mailDomainProof(deps, admin, params.domain_id, mailbox));
      },
    }),
    endpoint({
      ...shared,
      name: "remove_domain",
      followsLive: true,
      summary: "Remove a domain",
      stepUp: true,
      description:
        "Removes a domain. Single sign-on makes no new members with addresses in it; members who used it before still log in. Another organization can then prove the domain.",
      sdk: "organization.domains.remove",
      method: "DELETE",
      path: "/org/domains/:domain_id",
      params: { domain_id: "orgDomain" },
      missing: "domain_not_found",
      answer: [200, Done],
      examples: { answer: DONE },
      run: async (admin, { params }) => {
        await removeDomain(deps, admin, params.domain_id);
        return DONE;
      },
    }),
    endpoint({
      name: "confirm_domain",
      summary: "Prove a domain with a mailed link",
      method: "POST",
      path: "/org/domains/confirm",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, ConfirmedView],
      problems: ["invalid_link", "domain_taken"],
      run: (visitor, { body }) => confirmDomain(deps, visitor, body.token),
    }),
  ];
}
