import type { Role } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { hasRole, isCustodian, session } from "../session.ts";

interface RequireRoleProps {
  readonly least: Role;
  /** for what custodians may do with the records that they keep */
  readonly orCustodian?: boolean;
  /** completes "You need the … role to …", for example "create keys" */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** Shows its children to members with the role, and explains to all others which role they need. */
export function RequireRole({ least, orCustodian = false, to, children }: RequireRoleProps) {
  if (hasRole(least) || (orCustodian && isCustodian())) return <>{children}</>;
  // To a custodian the console shows only what they can do.
  if (isCustodian()) return null;
  return (
    <p class="notice">
      You need the {least} role to {to}. Your role is {session.value?.role}. An admin can change it under Members.
    </p>
  );
}
