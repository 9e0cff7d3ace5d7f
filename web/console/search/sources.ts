import { call, list, listAll } from "../api.ts";
import { canOpen } from "../can-open.ts";
import { isOffered, menu } from "../menu.ts";
import { canLeave, navigate } from "../navigation.ts";
import { statusLabel } from "../parts/chip.tsx";
import { logOut, may } from "../session.ts";
import { en as words } from "../words/search/en.ts";
import { matches } from "./matches.ts";
import { opened } from "./opened.ts";

/** What the search over everything finds. Each source is asked only if the user's role has its screens. */

export interface Hit {
  readonly id: string;
  readonly name: string;
  readonly detail?: string;
  readonly onOpen: () => void;
}

export type GroupName = keyof typeof words.groups;

const to = (address: string) => () => navigate(address);
const MOST = 5;

interface Act {
  readonly name: string;
  readonly isOffered: boolean;
  readonly onOpen: () => void;
}

const acts = (): readonly Act[] => [
  { name: words.acts.newEnvelope, isOffered: may("envelopes:write"), onOpen: to("/envelopes/new") },
  { name: words.acts.uploadCustomers, isOffered: may("customers:write"), onOpen: to("/customers/upload") },
  { name: words.acts.deposit, isOffered: may("vault:write"), onOpen: to("/vault/deposit") },
  { name: words.acts.mailTexts, isOffered: may("mail:manage"), onOpen: to("/settings/mail") },
  { name: words.acts.notifications, isOffered: canOpen("/notifications"), onOpen: to("/notifications") },
  { name: words.acts.account, isOffered: canOpen("/account"), onOpen: to("/account") },
  { name: words.acts.keys, isOffered: true, onOpen: () => (opened.value = "keys") },
  { name: words.acts.signOut, isOffered: true, onOpen: () => void (canLeave("/") && logOut()) },
];

/** Found without asking the service. Without a search: everything. */
export function localHits(search: string): readonly (readonly [GroupName, readonly Hit[]])[] {
  const screens = menu.flatMap(({ name: group, entries }) => entries.map((entry) => ({ ...entry, group })));
  return [
    [
      "actions",
      acts()
        .filter(({ name, isOffered }) => isOffered && matches(name, search))
        .map(({ name, onOpen }) => ({ id: `act ${name}`, name, onOpen })),
    ],
    [
      "screens",
      screens
        .filter((screen) => isOffered(screen) && matches(`${screen.name} ${screen.group ?? ""}`, search))
        .map((screen) => ({
          id: `screen ${screen.to}`,
          name: screen.name,
          ...(screen.group !== null && { detail: screen.group }),
          onOpen: to(screen.to),
        })),
    ],
  ];
}

type Source = (search: string) => Promise<readonly Hit[]>;

const envelopes: Source = async (search) => {
  const { data } = await list("list_envelopes", { query: { q: search, discarded: "exclude", expand: "customer", limit: MOST } });
  const found = data.map(({ envelope_id, envelope_name, status, customer }) => ({
    id: envelope_id,
    name: envelope_name,
    detail: [statusLabel(status), customer?.name ?? customer?.email ?? null].filter((one) => one !== null).join(" · "),
    onOpen: to(`/envelopes/${envelope_id}`),
  }));
  if (found.length < MOST) return found;
  return [
    ...found,
    { id: "all envelopes", name: words.allEnvelopes(search), onOpen: to(`/envelopes?${new URLSearchParams({ q: search })}`) },
  ];
};

const customers: Source = async (search) => {
  const { data } = await list("list_customers", { query: { q: search, limit: MOST } });
  return data.map(({ customer_id, name, email }) => ({
    id: customer_id,
    name: name ?? email ?? customer_id,
    ...(name !== null && email !== null && { detail: email }),
    onOpen: to(`/customers/${customer_id}`),
  }));
};

/** People who are not customers have no screen of their own. */
const contacts: Source = async (search) => {
  const found = await call("find_contacts", { query: { q: search } });
  return found
    .filter(({ customer_id }) => customer_id === null)
    .slice(0, MOST)
    .map(({ name, email }) => ({
      id: `contact ${email}`,
      name: name ?? email,
      detail: `${email} · ${words.envelopesOf}`,
      onOpen: to(`/envelopes?${new URLSearchParams({ q: email })}`),
    }));
};

/** The API does not search templates by words. There are few, so all are loaded once for each opening of the search. */
const templatesOnce = (): Source => {
  let loading: ReturnType<typeof loadTemplates> | null = null;
  return async (search) => {
    loading ??= loadTemplates();
    const all = await loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return all
      .filter(({ name }) => matches(name, search))
      .slice(0, MOST)
      .map(({ template_id, name }) => ({ id: template_id, name, onOpen: to(`/templates/${template_id}`) }));
  };
};
const loadTemplates = () => listAll("list_templates");

/** For custodians: the records that they keep. */
const vault: Source = async (search) => {
  const { data } = await list("list_vault", { query: { q: search, limit: MOST } });
  return data.map(({ envelope_id, envelope_name }) => ({ id: envelope_id, name: envelope_name, onOpen: to(`/vault/${envelope_id}`) }));
};

/** The sources of this user, to be made once for each opening of the search. */
export function sourcesOf(): readonly (readonly [GroupName, Source])[] {
  if (!may("envelopes:read")) return may("vault:read") ? [["vault", vault]] : [];
  return [
    ["envelopes", envelopes],
    ["customers", customers],
    ["contacts", contacts],
    ["templates", templatesOnce()],
  ];
}
