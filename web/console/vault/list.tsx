import { Screen } from "../parts/screen.tsx";

export function VaultList() {
  return <Screen title="VaultList">{null}</Screen>;
}
