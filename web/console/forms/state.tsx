import type { FormState } from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en as w } from "../words/forms/en.ts";

const tones: Readonly<Record<FormState, Tone>> = { open: "good", paused: "caution", closed: "plain" };

export const FormStateChip = ({ state }: { state: FormState }) => <Chip tone={tones[state]}>{w.states[state]}</Chip>;
