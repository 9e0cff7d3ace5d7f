import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { addRecipient } from "./add-recipient.ts";
import { changeRecipient, type RecipientChange } from "./change-recipient.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import * as examples from "./examples.ts";
import { presentRecipient, presentShown } from "./present.ts";
import { AddedRecipient } from "./recipient-input.ts";
import { removeRecipient } from "./remove-recipient.ts";
import { ChangeRecipientBody, RecipientsView, RecipientView, RemovedView } from "./shapes.ts";
import { findEnvelope } from "./store.ts";

const maySend = { anyScope: ["envelopes:write", "esign:write"] } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
const oneRecipient = { params: { envelope_id: "envelope", recipient_id: "recipient" }, missing: "recipient_not_found" } as const;
const problems = ["envelope_wrong_status", "recipient_has_acted", "record_mismatch"] as const;

/** The recipients of one envelope. Those of a draft are changed with the draft. */
export function recipientEndpoints(deps: EnvelopeDeps): Endpoint[] {
  return [
    reading({
      name: "list_recipients",
      summary: "List the recipients of an envelope",
      description:
        "Returns everyone whom the envelope is for, by step: signers, approvers, viewers and people who get a copy. Before the envelope is sent, the response contains the people that are saved with it.",
      resource: "Recipients",
      sdk: "envelopes.recipients.list",
      path: "/partner/envelopes/:envelope_id/recipients",
      access: { anyScope: ["envelopes:read"] },
      ...oneEnvelope,
      answer: [200, RecipientsView],
      examples: { answer: { recipients: [examples.recipient] } },
      run: async (caller, { params }, read) => {
        const { recipients } = await findEnvelope(read, caller.org, params.envelope_id);
        return { recipients: recipients.map((one) => presentShown(one, caller)) };
      },
    }),
    endpoint({
      name: "add_recipient",
      summary: "Add a recipient to a sent envelope",
      description:
        "Adds an approver, a viewer or a person who gets a copy to an envelope that is sent or viewed. If the step is running, the person is invited at once; otherwise when it begins. Signers and people with fields are named before the envelope is sent.",
      resource: "Recipients",
      sdk: "envelopes.recipients.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/recipients",
      access: maySend,
      ...oneEnvelope,
      body: AddedRecipient,
      answer: [201, RecipientView],
      problems: ["envelope_wrong_status", "record_mismatch"],
      examples: { request: examples.addedRecipient, answer: examples.recipient },
      run: async (caller, { params, body }) =>
        presentRecipient(await addRecipient(deps, caller, params.envelope_id, body as AddedRecipient), caller),
    }),
    endpoint({
      name: "change_recipient",
      summary: "Change a recipient of a sent envelope",
      description:
        "Changes the name, e-mail address, step, message or language of a person who has not acted yet. With a new address, another person takes the place: the old link ends at once, the new person gets a link of their own, and consent and entries start again. The step cannot be below the one that is running.",
      resource: "Recipients",
      sdk: "envelopes.recipients.update",
      method: "PATCH",
      path: "/partner/envelopes/:envelope_id/recipients/:recipient_id",
      access: maySend,
      ...oneRecipient,
      body: ChangeRecipientBody,
      answer: [200, RecipientView],
      problems: [...problems],
      examples: {
        request: { email: "eva@example.com", name: "Eva" },
        answer: { ...examples.recipient, email: "eva@example.com", name: "Eva" },
      },
      run: async (caller, { params, body }) =>
        presentRecipient(await changeRecipient(deps, caller, params.envelope_id, params.recipient_id, body as RecipientChange), caller),
    }),
    endpoint({
      name: "remove_recipient",
      summary: "Remove a recipient from a sent envelope",
      description:
        "Removes a person who has not acted yet. Their links and tokens end at once. If they were the last open person of a step, the next step begins; if everyone else has acted, the envelope is completed. Fields that only they could fill in stay empty, and `warnings` names them. The last signer cannot be removed.",
      resource: "Recipients",
      sdk: "envelopes.recipients.delete",
      method: "DELETE",
      path: "/partner/envelopes/:envelope_id/recipients/:recipient_id",
      access: maySend,
      ...oneRecipient,
      answer: [200, RemovedView],
      problems: [...problems, "last_signer", "maker_required"],
      examples: {
        answer: { envelope_id: examples.listed.envelope_id, recipient_id: examples.recipient.recipient_id, status: "sent", warnings: [] },
      },
      run: async (caller, { params }) => {
        const { envelope, warnings } = await removeRecipient(deps, caller, params.envelope_id, params.recipient_id);
        return { envelope_id: params.envelope_id, recipient_id: params.recipient_id, status: envelope.status, warnings: [...warnings] };
      },
    }),
  ];
}
