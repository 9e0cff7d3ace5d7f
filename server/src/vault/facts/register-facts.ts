import type { Facts, Facts2 } from "@countersign/evidence";
import type { Read } from "../../db/sql.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { lookUpAttestation } from "../attestation-store.ts";
import type { AuthoritativeCopy } from "../copy.ts";
import { lookUpEvidence } from "../evidence-store.ts";
import { type Issue, listAssignments, listIssues, listMembers, listPermissions, lookUpCertification } from "./facts-store.ts";

type Register = Pick<
  Facts,
  "attestation" | "evidence_file" | "certification" | "permissions" | "members" | "custodian_designated" | "copies" | "issued_before"
> &
  Pick<Facts2, "assignments">;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Attestation, custodians, secured parties, and everything that was handed out. */
export async function registerFacts(read: Read, org: OrgId, envelope: Envelope, copy: AuthoritativeCopy | null): Promise<Register> {
  const { envelope_id } = envelope;
  const permissions = await listPermissions(read, org, envelope_id);
  const issues = await listIssues(read, org, envelope_id);
  const since = copy?.stored_at ?? null;
  // With auto-vault, no unmarked document may ever leave; otherwise none may leave after vaulting.
  const isOfVault = ({ kind, issued_at }: Issue) =>
    kind !== "partial" && (envelope.auto_vault_enabled || (since !== null && issued_at.getTime() >= since.getTime()));
  return {
    attestation: await lookUpAttestation(read, org, envelope_id),
    evidence_file: await namedEvidence(read, org, envelope_id),
    certification: await lookUpCertification(read, org, envelope_id),
    permissions: permissions.map(({ activated_at, closed_at, ...row }) => ({
      ...row,
      activated_at: iso(activated_at),
      closed_at: iso(closed_at),
    })),
    members: await listMembers(
      read,
      org,
      permissions.map(({ user_id }) => user_id),
    ),
    custodian_designated: false,
    assignments: await listAssignments(read, org, envelope_id),
    copies: issues.filter(isOfVault).map(({ issued_at, ...issue }) => ({ ...issue, issued_at: issued_at.toISOString() })),
    issued_before: issues.filter((issue) => issue.kind === "signed" && !isOfVault(issue)).length,
  };
}

/** `found_sha256` is set later, when the store is read. */
async function namedEvidence(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Facts["evidence_file"]> {
  const file = await lookUpEvidence(read, org, envelope_id);
  return file === null ? null : { sha256: file.sha256, size: file.size, found_sha256: null };
}
