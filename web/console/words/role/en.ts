/** What a role does not allow. A table of another language must have the same members. */
export const en = {
  newRole: (role: string) => `Your role is now ${role.replace("_", " ")}. This page shows only what it allows.`,
  notAllowed: (role: string | undefined, to: string) =>
    `With the role ${role?.replace("_", " ")} you cannot ${to}. An admin or a security admin can change your role under Members.`,
} as const;
export type Words = typeof en;
