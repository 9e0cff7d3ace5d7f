import type { Customer } from "@countersign/client/types";
import { en } from "../words/customers/en.ts";

/** A one-line name for a customer. */
export const nameOf = ({ name, email, company, client_id }: Customer): string => name ?? email ?? company ?? client_id ?? en.unnamed;
