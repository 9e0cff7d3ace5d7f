import type { Status } from "../parts/chip.tsx";
import type { CustomerField } from "./fields.ts";

export type Customer = { readonly [F in CustomerField]: string | null } & {
  readonly customer_id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** What they are called where one line is room enough. */
export const nameOf = ({ name, email, company, client_id }: Customer): string => name ?? email ?? company ?? client_id ?? "Without a name";

export interface CustomersEnvelope {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly status: Status;
  readonly updated_at: string;
  readonly signers: readonly { readonly status: string }[];
}

export interface RowError {
  /** as a spreadsheet counts: the header is row 1 */
  readonly row: number;
  readonly column: string | null;
  readonly message: string;
}

/** What became of a file. */
export interface Upload {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  /** the first of them */
  readonly errors: readonly RowError[];
}
