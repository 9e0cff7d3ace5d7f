import type { EnvelopeId, OrgId } from "../src/shared/ids.ts";
import { readSigned } from "../src/signing/signed-store.ts";
import type { TestService } from "./service.ts";

/** What people entered and signed, decrypted, in the order of the fields. */
export async function signedValues({ db, features }: Pick<TestService, "db" | "features">, org: OrgId, envelope_id: EnvelopeId) {
  const { values } = await db.tx(org, (tx) => readSigned(features.envelopes, tx, org, envelope_id));
  return values.map(({ position, value }) => ({ position, value }));
}

/** As someone with SQL and without keys writes a value: SQL for the field of this name. */
export const overwriteValue = (envelope_id: string, field: string, value: string): string =>
  `update signed_values set value = '${value}', value_sealed = null where envelope_id = '${envelope_id}' and ${ofField(envelope_id, field)}`;

export const ofField = (envelope_id: string, field: string): string =>
  `position = (select position from envelope_fields where envelope_id = '${envelope_id}' and name = '${field}')`;
