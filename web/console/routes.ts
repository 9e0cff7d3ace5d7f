import { type Signal, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { matchPath } from "./navigation.ts";
import type { ScreenProps } from "./screen-props.ts";

/** Every screen and its path. A screen's code is loaded on the first visit. */

export interface Route {
  readonly pattern: string;
  /** also shown without a session */
  readonly open?: boolean;
  /** the menu entry to highlight */
  readonly menu?: string;
  readonly load: () => Promise<FunctionComponent<ScreenProps>>;
}

export const routes: readonly Route[] = [
  { pattern: "/login", open: true, load: async () => (await import("./account/log-in.tsx")).LogIn },
  { pattern: "/setup", open: true, load: async () => (await import("./account/set-up.tsx")).SetUp },
  { pattern: "/reset", open: true, load: async () => (await import("./account/reset.tsx")).Reset },
  { pattern: "/known-browser", open: true, load: async () => (await import("./account/known-browser.tsx")).KnownBrowser },
  { pattern: "/not-me", open: true, load: async () => (await import("./account/not-me.tsx")).NotMe },
  { pattern: "/email", open: true, load: async () => (await import("./account/email-link.tsx")).EmailLink },
  { pattern: "/sso", open: true, load: async () => (await import("./account/sso-return.tsx")).SsoReturn },
  { pattern: "/domain", open: true, load: async () => (await import("./account/confirm-domain.tsx")).ConfirmDomain },
  { pattern: "/invite", open: true, load: async () => (await import("./account/invite.tsx")).Invite },
  { pattern: "/", menu: "/", load: async () => (await import("./home/home.tsx")).Home },
  { pattern: "/welcome", menu: "/", load: async () => (await import("./home/welcome.tsx")).Welcome },
  { pattern: "/envelopes", menu: "/envelopes", load: async () => (await import("./envelopes/list.tsx")).Envelopes },
  { pattern: "/envelopes/new", menu: "/envelopes", load: async () => (await import("./prepare/new-envelope.tsx")).NewEnvelope },
  { pattern: "/envelopes/:envelope_id", menu: "/envelopes", load: async () => (await import("./envelopes/envelope.tsx")).EnvelopeScreen },
  { pattern: "/envelopes/:envelope_id/prepare", menu: "/envelopes", load: async () => (await import("./prepare/prepare.tsx")).Prepare },
  { pattern: "/templates", menu: "/templates", load: async () => (await import("./templates/list.tsx")).Templates },
  { pattern: "/templates/:template_id", menu: "/templates", load: async () => (await import("./templates/template.tsx")).TemplateScreen },
  { pattern: "/forms", menu: "/forms", load: async () => (await import("./forms/list.tsx")).Forms },
  { pattern: "/forms/:form_id", menu: "/forms", load: async () => (await import("./forms/form.tsx")).FormScreen },
  { pattern: "/templates/:template_id/bulk", menu: "/templates", load: async () => (await import("./bulk/new-bulk-send.tsx")).NewBulkSend },
  { pattern: "/bulk", menu: "/bulk", load: async () => (await import("./bulk/bulk-sends.tsx")).BulkSends },
  { pattern: "/bulk/:batch_id", menu: "/bulk", load: async () => (await import("./bulk/bulk-send.tsx")).BulkSendScreen },
  { pattern: "/customers", menu: "/customers", load: async () => (await import("./customers/list.tsx")).Customers },
  { pattern: "/customers/upload", menu: "/customers", load: async () => (await import("./customers/upload.tsx")).UploadCustomers },
  { pattern: "/customers/:customer_id", menu: "/customers", load: async () => (await import("./customers/customer.tsx")).CustomerScreen },
  { pattern: "/vault", menu: "/vault", load: async () => (await import("./vault/list.tsx")).VaultList },
  { pattern: "/vault/deposit", menu: "/vault", load: async () => (await import("./vault/deposit.tsx")).Deposit },
  { pattern: "/vault/duplicates", menu: "/vault/duplicates", load: async () => (await import("./vault/duplicates.tsx")).Duplicates },
  { pattern: "/vault/:envelope_id", menu: "/vault", load: async () => (await import("./vault/record.tsx")).VaultRecord },
  { pattern: "/parties", menu: "/parties", load: async () => (await import("./parties/parties.tsx")).Parties },
  { pattern: "/parties/:party_id", menu: "/parties", load: async () => (await import("./parties/party.tsx")).PartyScreen },
  { pattern: "/acts", menu: "/acts", load: async () => (await import("./acts/acts.tsx")).Acts },
  { pattern: "/acts/:act_id", menu: "/acts", load: async () => (await import("./acts/act.tsx")).ActScreen },
  {
    pattern: "/remote-requests/:request_id",
    menu: "/acts",
    load: async () => (await import("./acts/remote-request.tsx")).RemoteRequestScreen,
  },
  { pattern: "/batches", menu: "/batches", load: async () => (await import("./batches/batches.tsx")).Batches },
  { pattern: "/batches/:control_batch_id", menu: "/batches", load: async () => (await import("./batches/batch.tsx")).BatchScreen },
  { pattern: "/remote-vaults", menu: "/remote-vaults", load: async () => (await import("./remote-vaults/remote-vaults.tsx")).RemoteVaults },
  { pattern: "/custody", menu: "/custody", load: async () => (await import("./custody/custody.tsx")).Custody },
  { pattern: "/keys", menu: "/keys", load: async () => (await import("./keys/keys.tsx")).Keys },
  { pattern: "/keys/:key_id", menu: "/keys", load: async () => (await import("./keys/key.tsx")).KeyScreen },
  { pattern: "/webhooks", menu: "/webhooks", load: async () => (await import("./webhooks/list.tsx")).Webhooks },
  { pattern: "/webhooks/:endpoint_id", menu: "/webhooks", load: async () => (await import("./webhooks/endpoint.tsx")).EndpointScreen },
  { pattern: "/try", menu: "/try", load: async () => (await import("./try/try.tsx")).TryIt },
  { pattern: "/sandboxes", load: async () => (await import("./sandboxes/sandboxes.tsx")).Sandboxes },
  { pattern: "/outbox", menu: "/outbox", load: async () => (await import("./outbox/outbox.tsx")).Outbox },
  { pattern: "/members", menu: "/members", load: async () => (await import("./members/members.tsx")).Members },
  { pattern: "/settings", menu: "/settings", load: async () => (await import("./settings/settings.tsx")).Settings },
  { pattern: "/settings/mail", menu: "/settings", load: async () => (await import("./settings/mail.tsx")).MailSettings },
  { pattern: "/activity", menu: "/activity", load: async () => (await import("./settings/activity.tsx")).Activity },
  { pattern: "/problems", menu: "/problems", load: async () => (await import("./problems/problems.tsx")).Problems },
  { pattern: "/evidence-log", menu: "/evidence-log", load: async () => (await import("./evidence-log/evidence-log.tsx")).EvidenceLog },
  { pattern: "/notifications", load: async () => (await import("./notifications/notifications.tsx")).Notifications },
  { pattern: "/account", load: async () => (await import("./account/account.tsx")).Account },
];

export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The first match wins, so `/envelopes/new` must come before `/envelopes/:envelope_id`. */
export function routeOf(path: string): Found | null {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params !== null) return { route, params };
  }
  return null;
}

type Loaded = { readonly kind: "ready"; readonly View: FunctionComponent<ScreenProps> } | { readonly kind: "loading" | "missing" };

/** The screens loaded so far. */
const fetched = new Map<Route, Signal<Loaded>>();

export function screenOf(route: Route): Signal<Loaded> {
  const loaded = fetched.get(route) ?? signal<Loaded>({ kind: "loading" });
  fetched.set(route, loaded);
  return loaded;
}

/** Tries once per visit, and again when the browser is online again. Chromium does not load again what has failed to load. */
export async function fetchScreen(route: Route): Promise<void> {
  const loaded = screenOf(route);
  if (loaded.peek().kind === "ready") return;
  loaded.value = { kind: navigator.onLine ? "loading" : "missing" };
  if (!navigator.onLine) return;
  try {
    loaded.value = { kind: "ready", View: await route.load() };
  } catch {
    // The page tells the user: the network may be down, or the server was upgraded and no longer has this build's files.
    loaded.value = { kind: "missing" };
  }
}
