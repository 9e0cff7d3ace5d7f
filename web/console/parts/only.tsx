import type { Role } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { may, session } from "../session.ts";

interface OnlyProps {
  readonly least: Role;
  /** "create keys": goes on after "To" */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** What a role may not do is said, not hidden. */
export function Only({ least, to, children }: OnlyProps) {
  if (may(least)) return <>{children}</>;
  return (
    <p class="notice">
      To {to} takes the role {least}. Yours is {session.value?.role}; an admin can change it under Members.
    </p>
  );
}
