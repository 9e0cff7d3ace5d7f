import { type TObject, type TSchema, Type } from "typebox";
import { named, nullable, pascalCase, Timestamp } from "./shapes.ts";

/** The event types of webhooks: the schema of each event's data, and whether the event is sent. */
export type EventTypes = Readonly<Record<string, { readonly dispatched: boolean; readonly about: string; readonly data: TObject }>>;

const Test = Type.Literal(true, { description: "Only in events of a sandbox" });

/** An event as it is sent, `EnvelopeSentEvent`. */
export function eventShape(type: string, data: TObject): TObject {
  const name = `${pascalCase(type)}Event`;
  return named(
    name,
    Type.Object({
      event_type: Type.Literal(type),
      event_id: Type.String(),
      org_id: Type.String(),
      envelope_id: nullable(Type.String()),
      timestamp: Timestamp,
      data: named(`${name}Data`, Type.Object({ ...data.properties, test: Type.Optional(Test) })),
    }),
  );
}

/** Any event that is sent. */
export function anyEventShape(types: EventTypes): TSchema {
  const sent = Object.entries(types).filter(([, { dispatched }]) => dispatched);
  return named("WebhookEvent", Type.Union(sent.map(([type, { data }]) => eventShape(type, data))));
}
