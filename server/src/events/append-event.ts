import { Compile, type Validator } from "typebox/compile";
import { named, type Sql, sql, type Tx } from "../db/sql.ts";
import { queueing } from "../jobs/enqueue.ts";
import { type EnvelopeId, type EventId, isSandbox, newId, type OrgId } from "../shared/ids.ts";
import { type DispatchedType, type EventData, type EventType, eventTypes } from "./catalogue.ts";

export interface NewEvent<T extends DispatchedType> {
  readonly type: T;
  /** null for an event without an envelope */
  readonly envelope_id: EnvelopeId | null;
  readonly data: EventData<T>;
}

const shapes = new Map<EventType, Validator>();

/**
 * Appends an event in the caller's transaction, freezes its body (every delivery, retry and replay sends these bytes) and queues its
 * fan-out to the endpoints that subscribed to it. Data that does not match the schema is a bug and throws.
 */
export async function appendEvent<T extends DispatchedType>(tx: Tx, org: OrgId, event: NewEvent<T>): Promise<EventId> {
  const { event_id, insertion } = insertingEvent(tx, org, event, null);
  const fanOut = queueing("webhooks.fan-out", { org_id: org }, `webhooks.fan-out ${org}`);
  await tx.query(named("append-event")`with queued as (${fanOut}) ${insertion}`);
  return event_id;
}

/** The same without a fan-out, for an event that the caller delivers to one endpoint. */
export async function appendEventFor<T extends DispatchedType>(tx: Tx, org: OrgId, event: NewEvent<T>): Promise<EventId> {
  const { event_id, insertion } = insertingEvent(tx, org, event, tx.now);
  await tx.query(named("append-event-for")`${insertion}`);
  return event_id;
}

function insertingEvent<T extends DispatchedType>(
  tx: Tx,
  org: OrgId,
  event: NewEvent<T>,
  fanned_out_at: Date | null,
): { readonly event_id: EventId; readonly insertion: Sql } {
  refuseWrongData(event.type, event.data);
  const event_id = newId("event", tx.now.getTime());
  const body = {
    event_type: event.type,
    event_id,
    org_id: org,
    envelope_id: event.envelope_id,
    timestamp: tx.now.toISOString(),
    // Receivers need not know the ids of sandboxes.
    data: isSandbox(org) ? { ...event.data, test: true } : event.data,
  };
  const insertion = sql`
    insert into events (org_id, event_id, event_type, envelope_id, occurred_at, body, fanned_out_at)
    values (${org}, ${event_id}, ${event.type}, ${event.envelope_id}, ${tx.now}, ${Buffer.from(JSON.stringify(body))}, ${fanned_out_at})`;
  return { event_id, insertion };
}

function refuseWrongData(type: EventType, data: unknown): void {
  const { dispatched, data: schema } = eventTypes[type];
  if (!dispatched) throw new Error(`${type} is reserved and never dispatched`);
  const shape = shapes.get(type) ?? Compile(schema);
  shapes.set(type, shape);
  if (!shape.Check(data)) throw new Error(`data of ${type} does not match its schema: ${JSON.stringify(shape.Errors(data))}`);
}
