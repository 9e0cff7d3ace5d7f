import type { Actor, Member } from "@countersign/client/types";
import { listAll } from "../api.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";

/** The people of the organization by their ids, which is all that records name. */
export interface People {
  readonly all: readonly Member[];
  /** somebody who has left the organization has an id alone */
  nameOf(user_id: string): string;
  actorOf(actor: Actor): string;
}

export function usePeople(): People {
  const { data } = useLoad("people", () => listAll("list_members"));
  const all = data ?? [];
  const nameOf = (user_id: string): string => {
    const known = all.find((one) => one.user_id === user_id);
    if (known === undefined) return data === null ? "…" : `Somebody who is no longer a member (${user_id})`;
    return user_id === me().user.user_id ? `${known.name} (you)` : known.name;
  };
  return { all, nameOf, actorOf: ({ kind, id }) => actorWords(kind, id, nameOf) };
}

function actorWords(kind: string, id: string, nameOf: People["nameOf"]): string {
  if (kind === "user") return nameOf(id);
  if (kind === "key") return `API key ${id}`;
  return kind === "system" ? "The service" : `A ${kind}`;
}
