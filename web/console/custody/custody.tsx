import { Screen } from "../parts/screen.tsx";

export function Custody() {
  return <Screen title="Custody">{null}</Screen>;
}
