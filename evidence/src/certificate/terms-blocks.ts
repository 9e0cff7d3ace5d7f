// Who accepted the certification terms for the organization, as the audit trail recorded it.

import type { Json } from "../canonical.ts";
import type { Link } from "../verify-chain.ts";
import type { CertificateDetails } from "./details.ts";
import type { Block, Words } from "./document.ts";
import { hashOr, NOT_RECORDED, pair, personOf, quiet, textOr, utc } from "./wording.ts";

export function termsBlocks(links: readonly Link[], people: CertificateDetails["people"]): Block[] {
  const accepted = links.filter(({ entry }) => entry.type === "certification.accepted");
  if (accepted.length === 0) return [];
  return [
    { kind: "heading", level: 1, text: "Acceptance of the certification terms" },
    ...accepted.map(({ entry, data }): Block => {
      const { terms_version, terms_sha256, accepted_by } = membersOf(data?.data);
      return {
        kind: "pairs",
        rows: [
          pair("Accepted by", data === null ? quiet("erased") : personNamed(membersOf(accepted_by))),
          pair("Credential", credentialOf(entry.actor, people)),
          pair("Accepted", `${utc(entry.at)}, entry ${entry.seq}`),
          pair("Terms", [textOr(textIn(terms_version)), hashOr(textIn(terms_sha256))]),
        ],
      };
    }),
  ];
}

type Members = Readonly<Record<string, Json | undefined>>;
const membersOf = (value: Json | undefined): Members => Object(value ?? {}) as Members;
const textIn = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

// The person is optional in the request; the credential is always recorded.
function personNamed({ name, email }: Members): Words | Words[] {
  const [who, address] = [textIn(name), textIn(email)];
  if (who === null && address === null) return quiet("no person was named; the credential accepted");
  return [who ?? NOT_RECORDED, ...(address === null ? [] : [quiet(address)])];
}

function credentialOf({ kind, id }: Link["entry"]["actor"], people: CertificateDetails["people"]): string {
  if (kind === "user") return `Log-in of ${personOf(id, people)}`;
  return kind === "key" ? `API key ${id}` : `${kind} ${id}`;
}
