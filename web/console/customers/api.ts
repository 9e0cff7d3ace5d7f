import type { Customer } from "@countersign/client/types";

/** What they are called where one line is room enough. */
export const nameOf = ({ name, email, company, client_id }: Customer): string => name ?? email ?? company ?? client_id ?? "Without a name";
