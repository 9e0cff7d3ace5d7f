import { Screen } from "../parts/screen.tsx";

export function KeyScreen() {
  return <Screen title="KeyScreen">{null}</Screen>;
}
