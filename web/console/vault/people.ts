import type { Actor, Member } from "@countersign/client/types";
import { listAll } from "../api.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault-states/en.ts";

const w = en.people;

/** Looks up members by their ids, because records only contain ids. */
export interface People {
  readonly all: readonly Member[];
  /** former members are shown with their id */
  nameOf(user_id: string): string;
  actorOf(actor: Actor): string;
}

export function usePeople(): People {
  const { data } = useLoad("people", () => listAll("list_members"));
  const all = data ?? [];
  const nameOf = (user_id: string): string => {
    const known = all.find((one) => one.user_id === user_id);
    if (known === undefined) return data === null ? "…" : w.formerMember(user_id);
    return user_id === me().user.user_id ? w.you(known.name) : known.name;
  };
  return { all, nameOf, actorOf: ({ kind, id }) => actorWords(kind, id, nameOf) };
}

const actorKinds: Readonly<Record<string, string>> = {
  system: w.theService,
  person: w.aPersonOf,
  vault: w.anotherVault,
};

function actorWords(kind: string, id: string, nameOf: People["nameOf"]): string {
  if (kind === "user") return nameOf(id);
  if (kind === "key") return w.apiKey(id);
  return actorKinds[kind] ?? w.other(kind);
}
