import { findEnvelope } from "../envelopes/store.ts";
import { appendEvent } from "../events/append-event.ts";
import { type DispatchedType, type EventType, eventTypes } from "../events/catalogue.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, EventId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import type { TestDeps } from "./operation.ts";
import { NO_ENVELOPE, sampleData } from "./sample-data.ts";

export interface WantedEvent {
  readonly event_type: EventType;
  readonly envelope_id?: EnvelopeId;
}

export interface AppendedEvent {
  readonly event_id: EventId;
  readonly event_type: EventType;
  readonly envelope_id: EnvelopeId | null;
}

/** An event that nothing caused, for receivers under development. */
export function appendTestEvent(
  { envelopes }: Pick<TestDeps, "envelopes">,
  { org }: Caller,
  { event_type: type, envelope_id: asked }: WantedEvent,
): Promise<AppendedEvent> {
  if (!isDispatched(type)) throw invalidField("event_type", "invalid_value", "is reserved: it is not sent yet");
  return envelopes.db.tx(org, async (tx) => {
    const envelope = asked === undefined ? null : await findEnvelope(tx, org, asked);
    const envelope_id = type === "webhook.test" ? null : (envelope?.envelope_id ?? NO_ENVELOPE);
    const event_id = await appendEvent(tx, org, { type, envelope_id, data: sampleData(type, org, envelope, tx.now) });
    return { event_id, event_type: type, envelope_id };
  });
}

const isDispatched = (type: EventType): type is DispatchedType => eventTypes[type].dispatched;
