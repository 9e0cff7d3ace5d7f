import { ALGORITHMS, type NamedFile } from "@countersign/evidence";
import { checkOrigin } from "./check-origin.ts";
import type { Checked, CheckedOrigin } from "./checked.ts";
import { type CopyLeft, copyLeft, leftNote } from "./copy-left.ts";
import { isTestRecord, TEST_NOTE } from "./is-test-record.ts";
import { AsOfTooLate, registersAsOf } from "./registers-as-of.ts";
import { milestonesUnder } from "./rules-of.ts";
import { BundleRejected, type Options, type StepResult } from "./step.ts";
import { checkContainer } from "./steps/01-container.ts";
import { type AnyManifest, checkManifest, isManifest2 } from "./steps/02-manifest.ts";
import { checkTrust } from "./steps/03-trust.ts";
import { checkChain } from "./steps/04-chain.ts";
import { checkLog } from "./steps/05-log.ts";
import { checkTime, seenTimes } from "./steps/06-time.ts";
import { checkDocument } from "./steps/07-document.ts";
import { checkCertificate } from "./steps/08-certificate.ts";
import { checkEvaluation } from "./steps/09-evaluation.ts";
import { checkRegisters } from "./steps/10-registers.ts";
import { underPolicy } from "./under-policy.ts";
import { requireWitnesses } from "./witness/require-witnesses.ts";

export const stepNames = [
  "container",
  "manifest",
  "trust",
  "chain",
  "log",
  "time",
  "document",
  "certificate",
  "evaluation",
  "registers",
] as const;

/** TEST RECORD: everything agrees, and the record was made in a sandbox, so it is no evidence. */
export type Outcome = "VERIFIED" | "CONSISTENT, SIGNER NOT PINNED" | "TEST RECORD" | "FAILED";

export type StepReport = {
  readonly number: number;
  readonly name: (typeof stepNames)[number];
  readonly passed: boolean;
  readonly says: string;
  /** set when the step failed */
  readonly file: string | null;
  readonly entry: number | null;
};

export type Report = {
  readonly outcome: Outcome;
  readonly steps: readonly StepReport[];
  readonly notes: readonly string[];
  /** the instant for which the bundle speaks; null if the manifest was not accepted */
  readonly as_of: AsOf | null;
  /** how the authoritative copy left the vault; null if it did not, or if a step failed */
  readonly left: CopyLeft | null;
  /** the record was made in a sandbox. False if a step failed */
  readonly test: boolean;
};

/** `stated` is false for a bundle of the first form, which has no as_of: `at` is then when it was created. */
export type AsOf = { readonly at: string; readonly stated: boolean };

/**
 * Runs the ten steps in order, up to the first that fails. `read` returns the files of the bundle; if it throws BundleRejected, the container
 * step fails. Throws AsOfTooLate if `as_of` is later than the bundle.
 * @example await verifyBundle(() => readBundle("bundle.zip"), { root: "9f2c…", tsa_roots: null })
 */
export async function verifyBundle(read: () => readonly NamedFile[], options: Options): Promise<Report> {
  const steps: StepReport[] = [];
  const notes: string[] = [];
  let as_of: AsOf | null = null;
  const step = async <T>(run: () => StepResult<T> | Promise<StepResult<T>>): Promise<T> => {
    const passed = await run();
    steps.push({ ...nextStep(steps), passed: true, says: passed.says, file: null, entry: null });
    notes.push(...(passed.notes ?? []));
    return passed.value;
  };
  try {
    const { manifest, trust, links, facts } = await checkAll(read, options, step, (given) => {
      as_of = asOfOf(given);
    });
    const at = asOfOf(manifest).at;
    if (options.as_of) notes.push(...registersAsOf(facts, links, options.as_of, at));
    const left = copyLeft(links);
    if (left !== null) notes.push(leftNote(left));
    notes.push(...statusNotes(manifest));
    const test = isTestRecord(manifest, trust);
    if (test) notes.push(TEST_NOTE);
    return { outcome: outcomeOf(trust, test && options.allow_test !== true), steps, notes, as_of, left, test };
  } catch (error) {
    if (error instanceof AsOfTooLate) throw error;
    return { outcome: "FAILED", steps: [...steps, failedStep(nextStep(steps), error)], notes, as_of, left: null, test: false };
  }
}

function outcomeOf({ pinned }: Pick<Checked["trust"], "pinned">, isRefused: boolean): Outcome {
  if (isRefused) return "TEST RECORD";
  return pinned ? "VERIFIED" : "CONSISTENT, SIGNER NOT PINNED";
}

type RunStep = <T>(run: () => StepResult<T> | Promise<StepResult<T>>) => Promise<T>;

async function checkAll(
  read: () => readonly NamedFile[],
  options: Options,
  step: RunStep,
  onManifest: (manifest: AnyManifest) => void,
): Promise<Omit<Checked, "notes">> {
  const files = await step(() => checkContainer(read()));
  const { manifest, keys } = await step(() => checkManifest(files));
  onManifest(manifest);
  const trust = await step(() => underPolicy(checkTrust(files, keys, options), options.policy ?? ALGORITHMS));
  let origin: CheckedOrigin | null = null;
  const links = await step(async () => {
    const chain = checkChain(files, manifest);
    origin = await checkOrigin(files, { manifest, links: chain.value, trust }, options, checkInner);
    return { ...chain, notes: [...(chain.notes ?? []), ...(origin?.notes ?? [])] };
  });
  const logged = await step(() => requireWitnesses(files, checkLog(files, links, keys), options.witnesses));
  const times = await step(() => checkTime(files, manifest, trust, logged, options));
  const proofs = times.marks.map(({ at }) => at);
  await step(() => checkDocument(files, links, manifest, { trust, proofs, origin }));
  const seen = (seq: number) => seenTimes(times, logged, seq);
  const certificate = await step(() => checkCertificate(files, manifest, links, trust, seen));
  const facts = await step(() => checkEvaluation(files, { manifest, links, logged, times, certificate, trust, origin }));
  await step(() => checkRegisters(files, milestonesUnder(facts, links)));
  return { manifest, trust, links, times, facts, origin };
}

/** The bundle of an earlier vault. What is wrong with it is wrong with the bundle that it lies in. */
async function checkInner(given: readonly NamedFile[], options: Options): Promise<Checked> {
  const notes: string[] = [];
  const step: RunStep = async (run) => {
    const passed = await run();
    notes.push(...(passed.notes ?? []));
    return passed.value;
  };
  return {
    ...(await checkAll(
      () => given,
      options,
      step,
      () => undefined,
    )),
    notes,
  };
}

function asOfOf(manifest: AnyManifest): AsOf {
  return isManifest2(manifest) ? { at: manifest.as_of.at, stated: true } : { at: manifest.created_at, stated: false };
}

/** The bundle says how it was; only the installation knows what happened since. */
const statusNotes = (manifest: AnyManifest): string[] =>
  isManifest2(manifest) && manifest.status_url !== null
    ? [`The present state of the record can be asked at ${manifest.status_url}, which was not done here.`]
    : [];

function nextStep(steps: readonly StepReport[]): Pick<StepReport, "number" | "name"> {
  return { number: steps.length + 1, name: stepNames[steps.length] ?? "registers" };
}

// If a file makes the code that reads it fail, the bundle is not verified. File-system errors are passed on to the caller.
function failedStep(place: Pick<StepReport, "number" | "name">, error: unknown): StepReport {
  if (error instanceof BundleRejected) return { ...place, passed: false, says: error.message, file: error.file, entry: error.entry };
  if (error instanceof Error && "syscall" in error) throw error;
  return {
    ...place,
    passed: false,
    says: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    file: "the bundle",
    entry: null,
  };
}
