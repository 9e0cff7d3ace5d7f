import { Screen } from "../parts/screen.tsx";

export function Webhooks() {
  return <Screen title="Webhooks">{null}</Screen>;
}
