// Where a record was before another vault released it to this one, and who signed it there.

import type { SignerFacts } from "../facts.ts";
import type { Facts2 as Facts, OriginFacts } from "../facts-2.ts";
import { firstFacts } from "../rules/2/imported.ts";
import type { Block, Cell } from "./document.ts";
import { pair, quiet, small, textOr, timeOr, utc } from "./wording.ts";

/** Nothing for a record that was first vaulted here. */
export function originBlocks(facts: Facts): Block[] {
  const { origin } = facts;
  if (origin === undefined) return [];
  const first = firstFacts(facts);
  return [
    { kind: "heading", level: 1, text: "Where this record was before", new_page: true },
    ...vaultsBefore(facts).map((each) => vaultPairs(each)),
    { kind: "heading", level: 1, text: "Signers" },
    {
      kind: "paragraph",
      words: quiet("As the first vault recorded them. Its audit trail and certificate are in the evidence bundle, under origin/1."),
    },
    signerTable(first),
  ];
}

/** The first one first. */
function vaultsBefore({ origin }: Facts): OriginFacts[] {
  return origin === undefined ? [] : [...vaultsBefore(origin.facts), origin];
}

function vaultPairs({ vault, transfer_id, released, witnessed }: OriginFacts): Block {
  return {
    kind: "pairs",
    rows: [
      pair("Vault with root", small(vault.root_sha256)),
      pair("Record there", `${vault.envelope_id}, copy ${vault.copy_id}, organization ${vault.org_id}`),
      pair("Released", `${utc(released.at)} by transfer ${transfer_id}, entry ${released.seq}${witnessed ? ", seen by a witness" : ""}`),
    ],
  };
}

function signerTable({ signers, attestation }: Facts): Block {
  const rows: Cell[][] = [
    ...signers.map(({ name, email, role, signed_at }: SignerFacts): Cell[] => [
      textOr(name),
      textOr(email),
      textOr(role),
      timeOr(signed_at),
    ]),
    ...(signers.length > 0 ? [] : (attestation?.signers ?? [])).map(({ name, email, role, signed_on }): Cell[] => [
      textOr(name),
      textOr(email),
      textOr(role),
      textOr(signed_on),
    ]),
  ];
  if (rows.length === 0) return { kind: "paragraph", words: quiet("No signer is saved with the record, and none is attested.") };
  return {
    kind: "table",
    columns: [
      { head: "Name", share: 130 },
      { head: "E-mail", share: 150 },
      { head: "Role", share: 80 },
      { head: "Signed", share: 110 },
    ],
    rows,
  };
}
