import { Type } from "typebox";
import { acting, type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Assertion } from "../../http/passkey-shapes.ts";
import { idOf, iso, named, nullable, Reason, Sha256, Timestamp } from "../../http/shapes.ts";
import { invalidField } from "../../shared/problems.ts";
import { Code } from "../people/http.ts";
import type { PeopleDeps } from "../people/person.ts";
import type { DecisionCredential } from "../people/prove-decision.ts";
import { CopyStateShape, StandingShape } from "../shapes.ts";
import type { Decision, Need } from "./act.ts";
import { decideAsPerson, findActOfPerson, listRequestsFor, type RequestOfPerson } from "./decide-as-person.ts";
import { readDocument } from "./document.ts";
import { listHeldRecords, type RecordOfPerson } from "./list-held-records.ts";
import { presentAct } from "./present.ts";
import { ActView, DecisionShape } from "./shapes.ts";
import { summaryOf } from "./summary.ts";

const RequestView = named(
  "PersonRequest",
  Type.Object({
    summary: Type.String({ description: "One line that says what is decided" }),
    parties: Type.Array(
      named("PersonRequestParty", Type.Object({ party_id: idOf("party"), name: Type.String({ description: "As the act names it" }) })),
      { description: "The parties of the act for which you decide" },
    ),
    act: ActView,
  }),
);
const HeldRecordView = named(
  "PersonRecord",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    org_name: Type.String(),
    party_id: idOf("party"),
    party_name: Type.String(),
    held_as: Type.Enum(["controller", "pledgee", "participant", "audit"]),
    state: CopyStateShape,
    sha256: Sha256,
    stored_at: Timestamp,
    standing: nullable(StandingShape),
  }),
);

const person = { person: true } as const;
const oneAct = { params: { act_id: "act" }, missing: "act_not_found" } as const;

const presentRequest = ({ act, party_ids }: RequestOfPerson) => ({
  summary: summaryOf(readDocument(act)),
  parties: presentParties(act.needs.filter(({ party_id }) => party_id !== null && party_ids.includes(party_id))),
  act: presentAct(act),
});

/** A party can be asked in two roles, and is one party all the same. */
const presentParties = (needs: readonly Need[]) =>
  [...new Map(needs.map(({ party_id, name }) => [party_id ?? "", name]))].map(([party_id, name]) => ({ party_id, name }));

const presentRecord = (record: RecordOfPerson) => ({
  envelope_id: record.envelope_id,
  envelope_name: record.envelope_name,
  org_name: record.org_name,
  party_id: record.party_id,
  party_name: record.party_name,
  held_as: record.held_as,
  state: record.state,
  sha256: record.sha256,
  stored_at: iso(record.stored_at),
  standing: record.standing,
});

/** What people decide on and see for their parties, across the organizations that named them. */
export function personActEndpoints(deps: PeopleDeps): Endpoint[] {
  return [
    acting({
      name: "list_person_requests",
      summary: "List the requests of your parties",
      path: "/p/api/requests",
      access: person,
      answer: [200, Type.Array(RequestView)],
      run: async (who) => (await listRequestsFor(deps, who)).map(presentRequest),
    }),
    acting({
      name: "get_person_request",
      summary: "Get a request",
      path: "/p/api/acts/:act_id",
      access: person,
      ...oneAct,
      answer: [200, RequestView],
      run: async (who, { params }) => presentRequest(await findActOfPerson(deps, who.person.person_id, params.act_id)),
    }),
    endpoint({
      name: "decide_person_request",
      summary: "Confirm or refuse a request",
      description:
        "A confirmation needs either the assertion of a passkey whose challenge is the SHA-256 of the act, or a code that was mailed for this act. A refusal needs neither, and takes no assertion. No one decides twice, or about what they proposed.",
      method: "POST",
      path: "/p/api/acts/:act_id/decision",
      access: person,
      ...oneAct,
      body: Type.Object({
        decision: DecisionShape,
        sha256: Sha256,
        reason: Type.Optional(Reason),
        assertion: Type.Optional(Assertion),
        code: Type.Optional(Code),
      }),
      answer: [200, RequestView],
      problems: [
        "act_closed",
        "registration_required",
        "not_asked",
        "same_principal",
        "copy_wrong_state",
        "envelope_not_vaulted",
        "rate_limited",
        "passwords_busy",
      ],
      run: async (who, { params, body }) => {
        const { decision, sha256, reason, assertion, code } = body;
        const input = { decision, sha256, reason: reason ?? null, credential: credentialOf(decision, assertion, code) };
        return presentRequest(await decideAsPerson(deps, who, params.act_id, input));
      },
    }),
    acting({
      name: "list_person_records",
      summary: "List the records of your parties",
      path: "/p/api/records",
      access: person,
      answer: [200, Type.Array(HeldRecordView)],
      run: async (who) => (await listHeldRecords(deps, who)).map(presentRecord),
    }),
  ];
}

type Given = Extract<DecisionCredential, { readonly assertion: unknown }>["assertion"];

function credentialOf(decision: Decision, assertion: Given | undefined, code: string | undefined): DecisionCredential | null {
  if (decision === "refuse") {
    if (assertion !== undefined)
      throw invalidField("assertion", "invalid_value", "belongs to a confirmation: a passkey signs what is confirmed");
    return null;
  }
  if (assertion !== undefined && code === undefined) return { assertion };
  if (code !== undefined && assertion === undefined) return { code };
  throw invalidField("assertion", "invalid_value", "or code is needed, and not both");
}
