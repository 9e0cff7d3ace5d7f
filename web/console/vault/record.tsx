import { Screen } from "../parts/screen.tsx";

export function VaultRecord() {
  return <Screen title="VaultRecord">{null}</Screen>;
}
