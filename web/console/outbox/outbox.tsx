import { Screen } from "../parts/screen.tsx";

export function Outbox() {
  return <Screen title="Outbox">{null}</Screen>;
}
