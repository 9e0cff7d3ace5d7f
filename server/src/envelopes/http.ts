import { Type } from "typebox";
import { type Endpoint, listing } from "../http/endpoint.ts";
import { idOf, nullable, Timestamp } from "../http/shapes.ts";
import { statuses } from "./envelope.ts";
import { presentListed } from "./present.ts";
import { listEnvelopes } from "./store.ts";

const Status = Type.Enum([...statuses]);
const ListedView = Type.Object({
  envelope_id: idOf("envelope"),
  envelope_name: Type.String(),
  status: Status,
  customer_id: nullable(Type.String()),
  external_id: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function envelopeEndpoints(): Endpoint[] {
  return [
    listing({
      name: "list_envelopes",
      summary: "Envelopes, newest first",
      path: "/partner/envelopes",
      access: { anyScope: ["envelopes:read"] },
      query: Type.Object({ customer_id: Type.Optional(Type.String({ maxLength: 100 })), status: Type.Optional(Status) }),
      item: ListedView,
      limits: { limit: 20, max: 100 },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listEnvelopes(read, caller.org, query, { page, limit });
        return { items: items.map(presentListed), total };
      },
    }),
  ];
}
