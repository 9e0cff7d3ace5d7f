import type { Read } from "../../db/sql.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { findPolicy } from "./register-store.ts";

/** `attested`: a party that nobody acts for is not asked. `confirmed`: an act needs everybody concerned. */
export type ControlPolicy = "attested" | "confirmed";

/** Records that the law treats like paper notes are always under `confirmed`; for others the organization decides. */
export const policyOf = (read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<ControlPolicy> => findPolicy(read, org, envelope_id);
