import { Screen } from "../parts/screen.tsx";

export function Prepare() {
  return <Screen title="Prepare">{null}</Screen>;
}
