import { Screen } from "../parts/screen.tsx";

export function Begin() {
  return <Screen title="Begin">{null}</Screen>;
}
