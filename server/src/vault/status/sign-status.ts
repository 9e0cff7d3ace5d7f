import { canonicalize, type SignedStatus } from "@countersign/evidence";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import type { PipelineDeps } from "../vault.ts";
import { readStatus } from "./read-status.ts";

/** The state with the signature of the records key; null if no record has the code. */
export async function signStatus(deps: PipelineDeps, verify_code: string, file_sha256: string | null): Promise<SignedStatus | null> {
  for (let before = await keyInUse(deps); ; ) {
    const document = await readStatus(deps, verify_code, file_sha256);
    if (document === null) return null;
    const after = await keyInUse(deps);
    // A key that was replaced meanwhile may have ended before the time that the document names.
    if (after.key_id === before.key_id) {
      const signature = Buffer.from(await after.sign(Buffer.from(canonicalize(document))));
      return { document, signature: signature.toString("hex"), key_id: after.key_id };
    }
    before = after;
  }
}

const keyInUse = async ({ seals }: PipelineDeps) => (await ensureInstanceKeys(seals)).records;
