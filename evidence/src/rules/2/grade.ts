export const grades = ["proven", "attested", "not_shown"] as const;
export type Grade = (typeof grades)[number];
