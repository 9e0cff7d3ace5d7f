import type { Role } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { hasRole, session } from "../session.ts";

interface RequireRoleProps {
  readonly least: Role;
  /** completes "You need the … role to …", for example "create keys" */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** Shows its children to members with the role, and explains to all others which role they need. */
export function RequireRole({ least, to, children }: RequireRoleProps) {
  if (hasRole(least)) return <>{children}</>;
  return (
    <p class="notice">
      You need the {least} role to {to}. Your role is {session.value?.role}. An admin can change it under Members.
    </p>
  );
}
