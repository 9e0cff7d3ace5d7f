import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../../http/endpoint.ts";
import { about, named, nullable, Timestamp } from "../../http/shapes.ts";
import { MAX_URL_LENGTH } from "../../outbound/fault-of-url.ts";
import { recordKinds } from "../acts/kinds.ts";
import { presentRegistry, presentSetRegistry } from "./present.ts";
import { type RegistryDeps, registryModes } from "./registry.ts";
import { removeRegistry } from "./remove-registry.ts";
import { setRegistry } from "./set-registry.ts";
import { countWaiting, lookUpRegistry } from "./store.ts";

const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description: "Where requests go: https, to an address that webhooks may be sent to",
});
const Mode = named(
  "RegistryMode",
  Type.Enum([...registryModes], {
    description: "gate: a confirmed act waits until the registry has accepted it. notify: the registry is told after an act took effect",
  }),
);
const RegisteredKind = named("RegisteredActKind", Type.Enum([...recordKinds]));

const state = {
  registry: nullable(
    named(
      "Registry",
      Type.Object({ url: Type.String(), mode: Mode, kinds: Type.Array(RegisteredKind), created_at: Timestamp, updated_at: Timestamp }),
    ),
  ),
  waiting: Type.Integer({ description: "Acts that wait for an answer of the registry" }),
  last_error: about(nullable(Type.String()), "Why the latest request that is still open failed, as in webhook attempts"),
};
const RegistryView = named("RegistryState", Type.Object(state));
const SetView = named(
  "SetRegistry",
  Type.Object({ ...state, secret: about(nullable(Type.String()), "Signs the requests. Shown only when it is new; null if it stays") }),
);
const RemovedView = named("RemovedRegistry", Type.Object({ removed: Type.Literal(true) }));

const request = { url: "https://registry.example.com/registrations", mode: "gate", kinds: ["assign", "transfer_out"] };
const time = "2026-01-05T09:30:00.000Z";
const example = { registry: { ...request, created_at: time, updated_at: time }, waiting: 0, last_error: null };

const shared = { resource: "Control", access: { permission: "settings:manage" }, path: "/org/registry" } as const;

/** The registry of an organization. */
export function registryEndpoints(deps: RegistryDeps): Endpoint[] {
  return [
    reading({
      name: "get_registry",
      summary: "Get the registry",
      description:
        "Returns the registry with which changes of control are registered, and how many acts wait for it. `registry` is null if there is none.",
      sdk: "registry.get",
      ...shared,
      answer: [200, RegistryView],
      examples: { answer: example },
      run: async ({ org }, _input, read) => presentRegistry(await lookUpRegistry(read, org), await countWaiting(read, org)),
    }),
    endpoint({
      name: "set_registry",
      summary: "Set the registry",
      description:
        "Sets the registry, or replaces its address, mode and kinds. With mode gate, an act of one of the kinds waits in the state registering after everyone has confirmed it: the registry is sent the act, signed as webhooks are, and answers {accepted, reference}. Acts that wait when the address changes are sent to the new one. docs/vault-api.md has the request and the answer.",
      sdk: "registry.set",
      method: "PUT",
      ...shared,
      stepUp: true,
      body: Type.Object({
        url: Url,
        mode: Mode,
        kinds: Type.Array(RegisteredKind, { minItems: 1, maxItems: recordKinds.length, uniqueItems: true }),
        new_secret: Type.Optional(Type.Boolean({ description: "true replaces the secret at once" })),
      }),
      answer: [200, SetView],
      examples: { request, answer: { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } },
      run: async (member, { body }) => presentSetRegistry(await setRegistry(deps, member, body)),
    }),
    endpoint({
      name: "remove_registry",
      summary: "Remove the registry",
      description: "Removes the registry. Returns 409 while acts wait for its answer: cancel them, or wait for the answer.",
      sdk: "registry.remove",
      method: "DELETE",
      ...shared,
      stepUp: true,
      answer: [200, RemovedView],
      problems: ["registry_awaited"],
      examples: { answer: { removed: true } },
      run: async (member) => {
        await removeRegistry(deps, member);
        return { removed: true } as const;
      },
    }),
  ];
}
