import { useSignalEffect } from "@preact/signals";
import { firstPageSeen, marks, opened } from "../ceremony.ts";
import { adoptPart } from "../parts.ts";
import { adopt, adopting } from "../press.ts";

/** The dialog is loaded after page 1 is displayed, so that neither delays the signer. */
export function Adopting() {
  useSignalEffect(() => {
    if (firstPageSeen.value) adoptPart.fetchAhead();
  });
  const asked = adopting.value;
  if (asked === null) return null;
  const close = () => {
    adopting.value = null;
  };
  const { View } = adoptPart;
  return <View what={asked.type} name={opened.value?.you.name ?? ""} current={marks[asked.type].value} onAdopt={adopt} onClose={close} />;
}
