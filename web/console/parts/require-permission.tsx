import type { Permission } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { isCustodian, may, session } from "../session.ts";
import { en as words } from "../words/role/en.ts";

interface RequirePermissionProps {
  readonly needs: Permission;
  /** completes "With the role … you cannot …", for example "create keys" */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** Shows its children to members with the permission, and tells all others that their role does not have it. */
export function RequirePermission({ needs, to, children }: RequirePermissionProps) {
  if (may(needs)) return <>{children}</>;
  // To a custodian the console shows only what they can do.
  if (isCustodian()) return null;
  return <p class="notice">{words.notAllowed(session.value?.role, to)}</p>;
}
