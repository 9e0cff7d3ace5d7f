import { type Envelope, routeOf } from "../envelopes/envelope.ts";
import type { DispatchedType, EventData } from "../events/catalogue.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** What an event about no envelope of the sandbox names instead. */
export const NO_ENVELOPE = "env_01h2xcejqtf2nbrexx3vqjhp41" as EnvelopeId;
const SAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const GRADING = { rules: 2, proven_score: 74, standing: "attested" } as const;

type Samples = { readonly [T in DispatchedType]: EventData<T> };

/** Data as an event of this type has it. About an envelope it names that envelope and its customer; everything else is made up. */
export function sampleData<T extends DispatchedType>(type: T, org: OrgId, envelope: Envelope | null, now: Date): Samples[T] {
  const envelope_id = envelope?.envelope_id ?? NO_ENVELOPE;
  const route = envelope === null ? { customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41", external_id: null } : routeOf(envelope);
  const about = { envelope_id, ...route };
  const certificate_path = `${org}/vault/${envelope_id}/certificate-r1.pdf`;
  const samples: Samples = {
    "envelope.created": about,
    "envelope.sent": { ...about, sent_at: now.toISOString(), submission_id: "sub_01h2xcejqtf2nbrexx3vqjhp41" },
    "envelope.voided": { ...about, reason: "Sample reason" },
    "envelope.reminder_sent": { ...about, reminded: ["ann@example.com"] },
    "vault.stored": { ...route, path: `${org}/vault/${envelope_id}/sample.pdf`, hash: SAMPLE_HASH },
    "vault.compliance.passed": { ...route, ...GRADING, score: 100, certificate_path },
    "vault.compliance.failed": {
      ...{ ...route, ...GRADING, standing: "not_passed", score: 88, certificate_path },
      missing_requirements: ["consent_and_attribution"],
    },
    "custodian.transfer": {
      ...about,
      from_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41",
      to_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp42",
      permission_id: "cp_01h2xcejqtf2nbrexx3vqjhp41",
    },
    "webhook.test": { message: "Sample event that you requested" },
  };
  return samples[type];
}
