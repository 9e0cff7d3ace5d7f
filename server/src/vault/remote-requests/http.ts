import { Type } from "typebox";
import { type Endpoint, endpoint, listing, reading } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Reason, Sha256, Timestamp } from "../../http/shapes.ts";
import { ActKindShape, DecisionShape } from "../acts/shapes.ts";
import { findAct } from "../acts/store.ts";
import { messageFile } from "../links/examples.ts";
import type { LinkDeps } from "../links/link.ts";
import { messageOfBody, SignedBody, SignedView, signed } from "../links/shapes.ts";
import { decideRequest, type RequestDecision } from "./decide-request.ts";
import * as examples from "./examples.ts";
import { listActMessages } from "./message-store.ts";
import { presentActMessage, presentReceivedAct, presentRequest } from "./present.ts";
import { receiveActMessage } from "./receive-act-message.ts";
import { actMessageKinds, requestOutcomes, requestStates } from "./request.ts";
import { findRequest, listRemoteRequests } from "./store.ts";

const RequestStateShape = named("RemoteRequestState", Type.Enum([...requestStates]));

const RequestDeciderView = named(
  "RemoteRequestDecider",
  Type.Object({ name: Type.String(), email: Type.String(), key_name: nullable(Type.String()) }),
);
const RequestView = named(
  "RemoteRequest",
  Type.Object({
    request_id: idOf("remoteRequest"),
    state: about(RequestStateShape, "open: needs your decision. decided: the act has not ended yet. closed: nothing can be decided"),
    summary: Type.String({ description: "One line that says what is decided" }),
    kind: ActKindShape,
    org_name: about(Type.String(), "The organization whose act it is, as it calls itself"),
    vault_id: about(idOf("remoteVault"), "The installation that asks, which you have pinned"),
    vault_name: about(Type.String(), "The name under which you pinned it"),
    party_name: about(Type.String(), "The party that your organization stands for, as the other organization calls it"),
    act_id: about(Type.String(), "Of the other organization"),
    document: Type.Object(
      {},
      { additionalProperties: true, description: "What you agree to; sha256 is that of its canonical bytes (RFC 8785)" },
    ),
    sha256: Sha256,
    decision: nullable(DecisionShape),
    reason: nullable(Type.String()),
    decided_by: about(
      nullable(RequestDeciderView),
      "The member who decided, and the name of the API key if one was used; the other organization gets this",
    ),
    decided_at: OptionalTimestamp,
    delivered: Type.Boolean({ description: "The other installation has the decision, or no longer needs it" }),
    last_error: about(
      nullable(Type.String()),
      "Why the decision could not be delivered yet, or the code with which the other installation refused it",
    ),
    outcome: about(
      nullable(Type.Enum([...requestOutcomes])),
      "How the act ended, as the other installation states it; unpinned: you unpinned that installation before",
    ),
    received_at: Timestamp,
    expires_at: Timestamp,
    closed_at: OptionalTimestamp,
    updated_at: Timestamp,
  }),
);

const ActMessageView = named(
  "ActMessage",
  Type.Object({ kind: named("ActMessageKind", Type.Enum([...actMessageKinds])), at: Timestamp, ...signed }),
);
const ReceivedView = named(
  "ActMessageReceived",
  Type.Object({
    act_id: Type.String(),
    state: about(Type.String(), "Of the request, or of your act if the message was a decision"),
    reply: about(nullable(SignedView), "The decision, which the other side may have missed"),
  }),
);

const mayDecide = { anyScope: ["control:approve"] } as const;
const mayRead = { anyScope: ["vault:read", "control:approve"], custodian: "closed" } as const;
const mayExchange = { anyScope: ["control:approve", "control:write"] } as const;
const oneRequest = { params: { request_id: "remoteRequest" }, missing: "remote_request_not_found" } as const;

/** What organizations at other installations ask this one to decide. */
export function remoteRequestEndpoints(deps: LinkDeps): Endpoint[] {
  return [
    listing({
      name: "list_remote_requests",
      summary: "List requests of other installations",
      description:
        "Returns the acts of organizations at other installations that ask yours, newest first. Only vaults that you have pinned can ask. Poll with updated_since.",
      resource: "Control",
      sdk: "remoteRequests.list",
      path: "/partner/remote-requests",
      access: mayRead,
      query: Type.Partial(Type.Object({ state: RequestStateShape, updated_since: Timestamp })),
      item: RequestView,
      examples: { answer: examples.request },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listRemoteRequests(read, caller.org, query, { page, limit });
        return { items: items.map(presentRequest), total };
      },
    }),
    reading({
      name: "get_remote_request",
      summary: "Get a request of another installation",
      description: "Returns one request with the document of the act.",
      resource: "Control",
      sdk: "remoteRequests.get",
      path: "/partner/remote-requests/:request_id",
      access: mayRead,
      ...oneRequest,
      answer: [200, RequestView],
      examples: { answer: examples.request },
      run: async (caller, { params }, read) => presentRequest(await findRequest(read, caller.org, params.request_id)),
    }),
    endpoint({
      name: "decide_remote_request",
      summary: "Confirm or refuse a request of another installation",
      description:
        "Decides for this organization. sha256 must be that of the document you read. The decision is signed by this installation and sent to the other one, with the name and e-mail address of the member who decided, or who created the key. It cannot be withdrawn.",
      resource: "Control",
      sdk: "remoteRequests.decide",
      method: "POST",
      path: "/partner/remote-requests/:request_id/decision",
      access: mayDecide,
      stepUp: true,
      ...oneRequest,
      body: Type.Object({ decision: DecisionShape, sha256: Sha256, reason: Type.Optional(Reason) }),
      answer: [200, RequestView],
      problems: ["act_closed", "not_asked", "no_principal"],
      examples: { request: { decision: "confirm", sha256: examples.request.sha256 }, answer: examples.decided },
      run: async (caller, { params, body }) =>
        presentRequest(await decideRequest(deps, caller, params.request_id, body as RequestDecision)),
    }),
    reading({
      name: "list_remote_request_messages",
      summary: "List the messages of a request",
      description:
        "Returns every message of a request of another installation, sent and received, with its signature. The decision can be handed to the other side as a file if the two installations cannot reach each other.",
      resource: "Control",
      sdk: "remoteRequests.messages",
      path: "/partner/remote-requests/:request_id/messages",
      access: mayDecide,
      ...oneRequest,
      answer: [200, Type.Array(ActMessageView)],
      examples: { answer: [examples.message] },
      run: async (caller, { params }, read) => {
        const one = await findRequest(read, caller.org, params.request_id);
        return (await listActMessages(read, caller.org, one)).map(presentActMessage);
      },
    }),
    reading({
      name: "list_act_messages",
      summary: "List the messages about an act",
      description:
        "Returns every message about an act of yours that asks another installation, sent and received, with its signature. The request can be handed to the other side as a file if the two installations cannot reach each other.",
      resource: "Control",
      sdk: "acts.messages",
      path: "/partner/acts/:act_id/messages",
      access: { anyScope: ["control:write"] },
      params: { act_id: "act" },
      missing: "act_not_found",
      answer: [200, Type.Array(ActMessageView)],
      examples: { answer: [examples.message] },
      run: async (caller, { params }, read) => {
        const { act_id } = await findAct(read, caller.org, params.act_id);
        return (await listActMessages(read, caller.org, { act_id })).map(presentActMessage);
      },
    }),
    endpoint({
      name: "receive_act_message",
      summary: "Hand over a message about an act",
      description:
        "Takes a message of another installation that came as a file, as if that installation had sent it. It must be for this organization. A repeated message changes nothing.",
      resource: "Control",
      sdk: "remoteRequests.receive",
      method: "POST",
      path: "/partner/remote-requests/messages",
      access: mayExchange,
      body: SignedBody,
      answer: [200, ReceivedView],
      idempotent: false,
      problems: [
        "message_malformed",
        "message_not_signed",
        "message_not_for_this_vault",
        "message_contradicts",
        "vault_not_pinned",
        "act_not_found",
        "act_closed",
        "not_asked",
        "same_principal",
        "copy_wrong_state",
        "registration_required",
      ],
      examples: { request: messageFile, answer: examples.received },
      prepare: (caller, { body }) => receiveActMessage.admit(deps, messageOfBody(body), caller.org),
      run: async (_caller, _input, admitted) => presentReceivedAct(await receiveActMessage.apply(deps, admitted)),
    }),
  ];
}
