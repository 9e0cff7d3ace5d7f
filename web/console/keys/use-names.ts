import { listAll } from "../api.ts";
import { useLoad } from "../use-load.ts";

/** The names of the members. Former members, and everyone until the names are loaded, are shown by id. */
export function useNames(): (user_id: string) => string {
  const { data } = useLoad("members", () => listAll("list_members"));
  return (user_id) => data?.find((one) => one.user_id === user_id)?.name ?? user_id;
}
