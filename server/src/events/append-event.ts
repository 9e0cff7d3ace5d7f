import { Compile, type Validator } from "typebox/compile";
import { sql, type Tx } from "../db/sql.ts";
import { type EnvelopeId, type EventId, newId, type OrgId } from "../shared/ids.ts";
import { type DispatchedType, type EventData, type EventType, eventTypes } from "./catalogue.ts";

export interface NewEvent<T extends DispatchedType> {
  readonly type: T;
  /** null for an event that is about no envelope */
  readonly envelope_id: EnvelopeId | null;
  readonly data: EventData<T>;
}

const shapes = new Map<EventType, Validator>();

/**
 * Appends an event in the caller's transaction and freezes its body: every delivery, retry and replay sends these bytes.
 * Data that its schema does not allow is a mistake of ours and throws.
 */
export async function appendEvent<T extends DispatchedType>(tx: Tx, org: OrgId, event: NewEvent<T>): Promise<EventId> {
  refuseWrongData(event.type, event.data);
  const event_id = newId("event", tx.now.getTime());
  const body = {
    event_type: event.type,
    event_id,
    org_id: org,
    envelope_id: event.envelope_id,
    timestamp: tx.now.toISOString(),
    data: event.data,
  };
  await tx.query(sql`
    insert into events (org_id, event_id, event_type, envelope_id, occurred_at, body)
    values (${org}, ${event_id}, ${event.type}, ${event.envelope_id}, ${tx.now}, ${Buffer.from(JSON.stringify(body))})`);
  return event_id;
}

function refuseWrongData(type: EventType, data: unknown): void {
  const { dispatched, data: schema } = eventTypes[type];
  if (!dispatched) throw new Error(`${type} is reserved and never dispatched`);
  const shape = shapes.get(type) ?? Compile(schema);
  shapes.set(type, shape);
  if (!shape.Check(data)) throw new Error(`data of ${type} does not match its schema: ${JSON.stringify(shape.Errors(data))}`);
}
