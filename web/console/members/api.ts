import { roles } from "@countersign/client/lists";
import type { Role } from "@countersign/client/types";
import { may } from "../session.ts";
import { en } from "../words/members/en.ts";

export const roleNames: Record<Role, string> = en.roles;

/** What each role can do, for admins who assign roles. */
export const roleWords: Record<Role, string> = en.rights;

const nameOf = (role: Role) => [role, roleNames[role]] as const;
export const allRoles = roles.map(nameOf);
/** The roles that the user may give. Only admins make admins. */
export const roleChoices = () => roles.filter((role) => role !== "admin" || may("keys:manage")).map(nameOf);
