import type { ComponentChildren } from "preact";
import { may, type Role, session } from "../session.ts";

interface OnlyProps {
  readonly role: Role;
  /** "create keys": goes on after "To" */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** What a role may not do is said, not hidden. */
export function Only({ role, to, children }: OnlyProps) {
  if (may(role)) return <>{children}</>;
  return (
    <p class="notice">
      To {to} takes the role {role}. Yours is {session.value?.role}; an admin can change it under Members.
    </p>
  );
}
