import { acting, type Endpoint, serving } from "../../http/endpoint.ts";
import { findActOfPerson } from "../acts/decide-as-person.ts";
import type { PeopleDeps } from "../people/person.ts";
import { ItemsQuery, pageOf } from "./http.ts";
import { itemsOfAct, pageOfAct } from "./items-of-act.ts";
import { itemsAsCsv, presentItem } from "./present.ts";
import { ItemsView } from "./shapes.ts";

const person = { person: true } as const;
const oneAct = { params: { act_id: "act" }, missing: "act_not_found" } as const;

/** What a person confirms with one decision: the list of records, as a page and for a spreadsheet. */
export function personBatchEndpoints(deps: PeopleDeps): Endpoint[] {
  return [
    acting({
      name: "list_person_request_items",
      summary: "List the records of a request",
      path: "/p/api/acts/:act_id/items",
      access: person,
      ...oneAct,
      query: ItemsQuery,
      answer: [200, ItemsView],
      run: async (who, { params: { act_id }, query }) => {
        const { org } = await findActOfPerson(deps, who.person.person_id, act_id);
        const { items, total } = await deps.db.tx(org, (tx) => pageOfAct(tx, org, act_id, pageOf(query)));
        return { items: items.map(presentItem), total };
      },
    }),
    serving({
      name: "get_person_request_csv",
      summary: "Download the records of a request as CSV",
      path: "/p/api/acts/:act_id/items.csv",
      access: person,
      ...oneAct,
      types: ["text/csv"],
      run: async (who, { params: { act_id } }) => {
        const { org } = await findActOfPerson(deps, who.person.person_id, act_id);
        return itemsAsCsv(act_id, await deps.db.tx(org, (tx) => itemsOfAct(tx, org, act_id)));
      },
    }),
  ];
}
