import { Screen } from "../parts/screen.tsx";

export function Members() {
  return <Screen title="Members">{null}</Screen>;
}
