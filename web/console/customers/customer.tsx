import { Screen } from "../parts/screen.tsx";

export function CustomerScreen() {
  return <Screen title="CustomerScreen">{null}</Screen>;
}
