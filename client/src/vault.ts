import { operations } from "./generated/operations.ts";
import { VaultResource } from "./generated/resources.ts";
import type { RequestOptions } from "./options.ts";

export class Vault extends VaultResource {
  /**
   * Downloads the evidence bundle of a vaulted envelope and returns what `verifyBundle` makes of the zip file. The client does not check
   * the bundle itself; `@countersign/verify` does, with the root that you pin.
   *
   *     const report = await cs.vault.verify(envelope_id, (zip) => verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null }));
   */
  async verify<Report>(
    envelope_id: string,
    verifyBundle: (zip: Uint8Array<ArrayBuffer>) => Report | Promise<Report>,
    options: RequestOptions = {},
  ): Promise<Report> {
    const bundle = await this.caller.file(operations.get_evidence_bundle, { params: { envelope_id }, options });
    return verifyBundle(await bundle.bytes());
  }
}
