import { Screen } from "../parts/screen.tsx";

export function Customers() {
  return <Screen title="Customers">{null}</Screen>;
}
