import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, idOf, named, nullable, Timestamp } from "../http/shapes.ts";
import { createSandbox } from "./create-sandbox.ts";
import * as examples from "./examples.ts";
import type { OrgDeps } from "./org.ts";
import { presentSandbox } from "./present.ts";
import { resetSandbox } from "./reset-sandbox.ts";
import { listSandboxes } from "./sandbox-store.ts";

const SandboxView = named(
  "Sandbox",
  Type.Object({
    org_id: about(
      idOf("org"),
      "For `POST /auth/refresh`, which switches a session to it. Its eleventh character after `org_` is `g` or `h`",
    ),
    name: Type.String(),
    sandbox_of: about(idOf("org"), "The organization that it belongs to"),
    created_at: Timestamp,
    resetting_since: about(
      nullable(Timestamp),
      "When its reset was requested, while the job removes its data and requests that write there are refused. Null otherwise",
    ),
  }),
);
const SandboxName = Type.String({ minLength: 1, maxLength: 60, pattern: "\\S", "x-message": "must not be blank" });

/** Organizations for tests, each tied to a live one. */
export function sandboxEndpoints(deps: OrgDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_sandbox",
      summary: "Create a sandbox",
      description:
        "Creates an organization for tests, with the members, security settings and look of this one. Switch a session to it with `POST /auth/refresh` and its `org_id`, then create keys there: they reach its data alone, and their requests return `X-Mode: test`. Every page of its documents says that it is a test, its seals come from a test root, and its e-mails stay in its outbox. An organization has at most 5.",
      resource: "Sandbox",
      sdk: "sandboxes.create",
      method: "POST",
      path: "/org/sandboxes",
      access: { permission: "settings:manage" },
      followsLive: true,
      body: Type.Object({ name: SandboxName }),
      answer: [201, SandboxView],
      problems: ["too_many_sandboxes"],
      examples: { request: { name: examples.sandbox.name }, answer: examples.sandbox },
      run: async (admin, { body }) => presentSandbox(await createSandbox(deps, admin, body.name)),
    }),
    reading({
      name: "list_sandboxes",
      summary: "List sandboxes",
      description: "Lists the sandboxes of the organization, oldest first. In a sandbox it lists those of its organization.",
      resource: "Sandbox",
      sdk: "sandboxes.list",
      path: "/org/sandboxes",
      access: { session: "any" },
      answer: [200, named("Sandboxes", Type.Object({ sandboxes: Type.Array(SandboxView) }))],
      examples: { answer: { sandboxes: [examples.sandbox] } },
      run: async (member, _input, read) => ({ sandboxes: (await listSandboxes(read, member.org)).map(presentSandbox) }),
    }),
    endpoint({
      name: "reset_sandbox",
      summary: "Reset a sandbox",
      description:
        "Removes everything from a sandbox: envelopes, templates, customers, keys, webhook endpoints, e-mails, audit trail and settings. Its keys and sessions end at once; a job removes the data, and until it is done, requests that write there return 409 `sandbox_resetting`. The sandbox itself, its members and its ID stay, and it begins again with the settings of the organization. Entries stay in the log of the installation as hashes.",
      resource: "Sandbox",
      sdk: "sandboxes.reset",
      method: "POST",
      path: "/org/sandboxes/:org_id/reset",
      ...ofSandbox,
      answer: [202, SandboxView],
      examples: { answer: examples.resettingSandbox },
      run: async (admin, { params }) => presentSandbox(await resetSandbox(deps, admin, params.org_id, "reset")),
    }),
    endpoint({
      name: "delete_sandbox",
      summary: "Delete a sandbox",
      description:
        "Deletes a sandbox with everything in it. Its keys and sessions end at once and it leaves the list; a job removes the data. It does not count as one of the 5 any more.",
      resource: "Sandbox",
      sdk: "sandboxes.delete",
      method: "DELETE",
      path: "/org/sandboxes/:org_id",
      ...ofSandbox,
      answer: [200, named("DeletedSandbox", Type.Object({ org_id: idOf("org"), deleted: Type.Literal(true) }))],
      examples: { answer: { org_id: examples.sandbox.org_id, deleted: true } },
      run: async (admin, { params }) => {
        const { org_id } = await resetSandbox(deps, admin, params.org_id, "deleted");
        return { org_id, deleted: true } as const;
      },
    }),
  ];
}

const ofSandbox = {
  params: { org_id: "org" },
  missing: "sandbox_not_found",
  access: { permission: "settings:manage" },
  followsLive: true,
} as const;
