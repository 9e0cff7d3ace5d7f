import type { Role } from "@countersign/client/types";
import { en as words } from "../words/role/en.ts";

/** Says that parts of the screen are gone, with what was entered there. */
export const NewRole = ({ role }: { role: Role }) => (
  <p class="notice" role="alert">
    {words.newRole(role)}
  </p>
);
