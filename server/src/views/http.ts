import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, idOf, Label, named } from "../http/shapes.ts";
import { changeView } from "./change-view.ts";
import { createView } from "./create-view.ts";
import * as examples from "./examples.ts";
import { presentView } from "./present.ts";
import { removeView } from "./remove-view.ts";
import { listViews } from "./store.ts";
import { personOf, type ViewDeps } from "./view.ts";

/** Saved lists of envelopes, for the console. */

const Query = Type.Object({}, { additionalProperties: true });
const members = {
  name: Label,
  query: about(Query, "Parameters of the list of envelopes, as texts. Others are 422"),
  shared: Type.Boolean({ description: "true: every member sees it. Only members and admins can share" }),
  position: Type.Integer({ minimum: 0, maximum: 10_000 }),
};
const ViewBody = Type.Object({
  name: members.name,
  query: members.query,
  shared: Type.Optional(members.shared),
  position: Type.Optional(members.position),
});
const SavedView = named("SavedView", Type.Object({ view_id: idOf("view"), ...members }));

const ofPerson = { anyScope: ["envelopes:read"], sessionOnly: true } as const;
const oneView = { params: { view_id: "view" }, missing: "view_not_found" } as const;

export function viewEndpoints(deps: ViewDeps): Endpoint[] {
  return [
    reading({
      name: "list_views",
      summary: "List saved views",
      description:
        "Returns your own saved views and those that are shared with every member, by position. A view is a name and the parameters of a list of envelopes. Views belong to people, so API keys get 403.",
      resource: "Envelopes",
      sdk: "views.list",
      examples: { answer: [examples.view] },
      path: "/views",
      access: ofPerson,
      answer: [200, Type.Array(SavedView)],
      run: async (caller, _input, read) => (await listViews(read, caller.org, personOf(caller))).map(presentView),
    }),
    endpoint({
      name: "create_view",
      summary: "Save a view",
      description:
        "Saves the parameters of a list of envelopes under a name. Without `position` it is the last of your views. Only members and admins can share a view. You can have 100 views, and there can be 100 shared ones.",
      resource: "Envelopes",
      sdk: "views.create",
      examples: { request: examples.create, answer: examples.view },
      method: "POST",
      path: "/views",
      access: ofPerson,
      body: ViewBody,
      answer: [201, SavedView],
      problems: ["too_many_views", "role_too_low"],
      run: async (caller, { body }) => presentView(await createView(deps, caller, body as Parameters<typeof createView>[2])),
    }),
    endpoint({
      name: "update_view",
      summary: "Change a saved view",
      description:
        "Changes the members that you send. With `shared` set to false, a shared view becomes your own. Only members and admins can change shared views.",
      resource: "Envelopes",
      sdk: "views.update",
      examples: { request: examples.change, answer: { ...examples.view, shared: true } },
      method: "PATCH",
      path: "/views/:view_id",
      access: ofPerson,
      ...oneView,
      body: Type.Partial(Type.Object(members)),
      answer: [200, SavedView],
      problems: ["too_many_views", "role_too_low"],
      run: async (caller, { params, body }) =>
        presentView(await changeView(deps, caller, params.view_id, body as Parameters<typeof changeView>[3])),
    }),
    endpoint({
      name: "delete_view",
      summary: "Delete a saved view",
      description: "Deletes one of your views, or a shared view, which only members and admins can delete. The envelopes stay as they are.",
      resource: "Envelopes",
      sdk: "views.delete",
      examples: { answer: { view_id: examples.view.view_id } },
      method: "DELETE",
      path: "/views/:view_id",
      access: ofPerson,
      ...oneView,
      answer: [200, named("DeletedView", Type.Object({ view_id: idOf("view") }))],
      problems: ["role_too_low"],
      run: async (caller, { params }) => {
        await removeView(deps, caller, params.view_id);
        return { view_id: params.view_id };
      },
    }),
  ];
}
