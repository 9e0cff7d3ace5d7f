import { describe, expect, test } from "vitest";
import { onePage } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { declaredEndpoints } from "../src/main.ts";
import { newId } from "../src/shared/ids.ts";
import { roles, type Scope, scopes, scopesOfRole } from "../src/shared/scopes.ts";
import { client } from "./client.ts";
import { form } from "./form.ts";
import { PASSWORD, type TestOrg, testService } from "./service.ts";

/** What follows from the list of endpoints is generated from it: a new endpoint is covered by being declared. */

const service = testService();
const declared = declaredEndpoints();

/** A body that passes validation, for endpoints whose refusal comes after it. */
const bodies: Record<string, unknown> = {
  change_role: { role: "viewer" },
  create_key: { partner_name: "A", scopes: ["envelopes:read"] },
  place_fields: { fields: [] },
  replace_fields: { fields: [] },
};

function pathWith(endpoint: Endpoint, ids: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "");
}

function missingIds(endpoint: Endpoint): Record<string, string> {
  return Object.fromEntries(Object.entries(endpoint.params).map(([name, kind]) => [name, newId(kind)]));
}

async function memberOf(org: TestOrg, role: string): Promise<ReturnType<typeof client>> {
  const email = `${newId("user")}@example.com`;
  const invited = await org.admin("POST", "/org/invitations", { body: { email, role } });
  const token = new URL(invited.json.data.accept_url).hash.slice("#token=".length);
  const joined = await service.send("POST", "/auth/invitations/accept", { body: { token, name: "M", password: PASSWORD, mode: "token" } });
  return client(service.url, { authorization: `Bearer ${joined.json.data.token}` });
}

describe("tenancy", () => {
  /** A real id of one org, by the name that paths give it. */
  const ownId: Record<string, (org: TestOrg) => Promise<string>> = {
    key_id: async (org) => (await org.newKey()).key_id,
    user_id: async (org) => org.user_id,
    invitation_id: async (org) =>
      (await org.admin("POST", "/org/invitations", { body: { email: `${newId("user")}@example.com`, role: "viewer" } })).json.data
        .invitation_id,
    session_id: async (org) => (await org.admin("GET", "/auth/sessions")).json.data[0].session_id,
    customer_id: async (org) => (await org.admin("POST", "/partner/customers", { body: { name: "Ann" } })).json.data.customer_id,
    template_id: async (org) =>
      (await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: writePdf(onePage()) }))).json.data.template_id,
  };

  const withParams = declared.filter((endpoint) => Object.keys(endpoint.params).length > 0);
  test.each(withParams.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s answers another org's id, a missing one and nonsense with the same bytes",
    async (_name, endpoint) => {
      const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
      const ids: Record<string, string> = {};
      for (const name of Object.keys(endpoint.params)) ids[name] = (await ownId[name]?.(theirs)) ?? expect.fail(`no id for ${name}`);
      const body = bodies[endpoint.name];
      const ask = (path: string) => mine.admin(endpoint.method, path, body === undefined ? {} : { body });
      const nonsense = Object.fromEntries(Object.keys(endpoint.params).map((name) => [name, "lk_%00"]));
      const answers = [
        await ask(pathWith(endpoint, ids)),
        await ask(pathWith(endpoint, missingIds(endpoint))),
        await ask(pathWith(endpoint, nonsense)),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
      const own = await theirs.admin(endpoint.method, pathWith(endpoint, ids), body === undefined ? {} : { body });
      expect(own.status, "the owner reaches it").not.toBe(404);
    },
  );
});

describe("access", () => {
  const scoped = declared.filter((endpoint) => endpoint.access !== "anyone" && "anyScope" in endpoint.access);
  const roled = declared.filter((endpoint) => endpoint.access !== "anyone" && "role" in endpoint.access);

  test.each(scoped.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s admits exactly the keys with one of its scopes, and the roles that stand for one",
    async (_name, endpoint) => {
      const admitted = (endpoint.access as { anyScope: readonly Scope[] }).anyScope;
      const org = await service.newOrg();
      for (const scope of scopes) {
        const key = await org.newKey({ scopes: [scope] });
        const { status, json } = await key.send(endpoint.method, pathWith(endpoint, missingIds(endpoint)));
        if (admitted.includes(scope)) expect([401, 403], scope).not.toContain(status);
        else expect([status, json], scope).toEqual([403, { error: `Missing required scope: ${admitted.join(" or ")}` }]);
      }
      for (const role of roles) {
        const send = await memberOf(org, role);
        const { status } = await send(endpoint.method, pathWith(endpoint, missingIds(endpoint)));
        expect(status === 403, role).toBe(!admitted.some((scope) => scopesOfRole[role].includes(scope)));
      }
    },
  );

  test.each(roled.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s admits exactly its role and those above it, and no key",
    async (_name, endpoint) => {
      const least = (endpoint.access as { role: (typeof roles)[number] }).role;
      const org = await service.newOrg();
      const order = ["admin", "member", "viewer"];
      for (const role of roles) {
        const send = await memberOf(org, role);
        const { status, json } = await send(endpoint.method, pathWith(endpoint, missingIds(endpoint)));
        const admitted = order.indexOf(role) <= order.indexOf(least);
        if (admitted) expect([401, 403], role).not.toContain(status);
        else
          expect([status, json], role).toEqual([
            403,
            { error: least === "admin" ? "Admin role required" : "Your role does not allow this" },
          ]);
      }
      const key = await org.newKey();
      expect((await key.send(endpoint.method, pathWith(endpoint, missingIds(endpoint)))).status).toBe(401);
    },
  );

  test("every endpoint is open to anyone on purpose, or in one of the two tables above", () => {
    const open = declared.filter((endpoint) => endpoint.access === "anyone").map((endpoint) => endpoint.name);
    expect(open.sort()).toEqual([
      "accept_invitation",
      "confirm_password_reset",
      "log_in",
      "log_out",
      "preview_invitation",
      "refresh_session",
      "request_password_reset",
      "set_up",
    ]);
    expect(scoped.length + roled.length + open.length).toBe(declared.length);
  });
});
