import { Screen } from "../parts/screen.tsx";

export function TemplateScreen() {
  return <Screen title="TemplateScreen">{null}</Screen>;
}
