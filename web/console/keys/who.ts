import { listAll } from "../api.ts";
import { useAsked } from "../asked.ts";

interface Member {
  readonly user_id: string;
  readonly name: string;
}

/** Names of the people here. Somebody who left, and everybody until the answer is there, is shown by the id. */
export function useNames(): (user_id: string) => string {
  const { data } = useAsked("members", () => listAll<Member>("/org/members"));
  return (user_id) => data?.find((one) => one.user_id === user_id)?.name ?? user_id;
}
