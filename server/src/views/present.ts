import type { View } from "./view.ts";

export const presentView = ({ view_id, user_id, name, query, position }: View) => ({
  view_id,
  name,
  query: { ...query },
  shared: user_id === null,
  position,
});
