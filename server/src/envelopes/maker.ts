import type { RecordType } from "@countersign/evidence";
import { Type } from "typebox";
import { about, Label } from "../http/shapes.ts";
import { Problem } from "../shared/problems.ts";
import { refuseMissingRoles } from "../signing/refuse-missing-roles.ts";
import { MAX_SIGNERS } from "./signer-input.ts";

/** The signers who issue a transferable record. Each accepts a published text before signing, which says that it is one. */
export const MakerRoles = about(
  Type.Array(Label, { maxItems: MAX_SIGNERS, uniqueItems: true }),
  "Only for record_type transferable_record: the roles of its makers. Before signing, they accept a text that says that the document is a transferable record",
);

interface Known {
  readonly record_type: RecordType;
  /** of the document's fields and of the signers; empty while neither is known */
  readonly roles: readonly string[];
}

/** 422 for a record of another type, and for a role that the document and its signers do not have. */
export function refuseUnknownMakers(maker_roles: readonly string[], { record_type, roles }: Known): void {
  if (maker_roles.length === 0) return;
  if (record_type !== "transferable_record") {
    const message = "is only for a record_type of transferable_record";
    throw new Problem("invalid_request", "makers", { details: [{ location: "body", field: "maker_roles", code: "conflict", message }] });
  }
  if (roles.length === 0) return;
  refuseMissingRoles(maker_roles, roles, { location: "body", field: "maker_roles" });
}
