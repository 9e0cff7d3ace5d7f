import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, idOf, named, Timestamp } from "../http/shapes.ts";
import { createSandbox } from "./create-sandbox.ts";
import * as examples from "./examples.ts";
import type { OrgDeps } from "./org.ts";
import { presentSandbox } from "./present.ts";
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
  ];
}
