import { Screen } from "../parts/screen.tsx";

export function Deposit() {
  return <Screen title="Deposit">{null}</Screen>;
}
