import { listAll } from "../api.ts";
import { useLoad } from "../use-load.ts";

/** Names of the people here. Somebody who left, and everybody until the answer is there, is shown by the id. */
export function useNames(): (user_id: string) => string {
  const { data } = useLoad("members", () => listAll("list_members"));
  return (user_id) => data?.find((one) => one.user_id === user_id)?.name ?? user_id;
}
