import { operations } from "./generated/operations.ts";
import { VaultResource } from "./generated/resources.ts";
import type { RequestOptions } from "./options.ts";

export class Vault extends VaultResource {
  /**
   * Downloads the evidence bundle of a vaulted envelope and gives what `verifyBundle` makes of its bytes: a zip file. The client believes
   * nothing about the bundle; the function of `@countersign/verify` judges it, with the root that you pinned.
   *
   *     const report = await cs.vault.verify(envelope_id, (zip) => verifyBundle(() => unzipped(zip), { root, tsa_roots: null }));
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
