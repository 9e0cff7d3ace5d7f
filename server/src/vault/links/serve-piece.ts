import { readStored } from "../../documents/read-stored.ts";
import { Problem } from "../../shared/problems.ts";
import type { LinkDeps, SignedMessage } from "./link.ts";
import { isAbout } from "./message.ts";
import { receiveMessage } from "./receive-message.ts";
import { lookUpTransfer } from "./store.ts";

/** Of the package, as JSON in base64: few enough to hold in memory many times over. */
export const PIECE_BYTES = 2 * 1024 * 1024;

// Clocks differ. An old request is refused, so that who recorded it cannot read the package much later.
const FRESH_MS = 3_600_000;

export interface Piece {
  readonly package_size: number;
  readonly offset: number;
  /** base64 */
  readonly piece: string;
}

/** A piece of a package for the receiver of the transfer, who shows by its signature that it is. Outside transactions, because it reads the store. */
export async function servePiece(deps: LinkDeps, signed: SignedMessage): Promise<Piece> {
  const { org, message } = await receiveMessage.admit(deps, signed);
  if (message.type !== "countersign/link/1/fetch") throw new Problem("message_malformed");
  if (Math.abs(Date.now() - Date.parse(message.at)) > FRESH_MS) throw new Problem("message_out_of_order", "an old request");
  const one = await deps.db.tx(org, (tx) => lookUpTransfer(tx, org, message.transfer_id, "out"));
  if (one === null || one.package_sha256 === null || !isAbout(one, message)) throw new Problem("vault_transfer_not_found");
  if (message.package_sha256 !== one.package_sha256) throw new Problem("message_contradicts", "another package");
  const isServed = one.state === "packed" || one.state === "ready" || one.state === "released";
  if (!isServed) throw new Problem("vault_transfer_closed", "", { words: { state: one.state } });
  const bytes = await readStored(deps, org, one.package_sha256, "document_unavailable");
  const piece = Buffer.from(bytes.subarray(message.offset, message.offset + PIECE_BYTES)).toString("base64");
  return { package_size: bytes.length, offset: message.offset, piece };
}
