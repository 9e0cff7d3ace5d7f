/**
 * What happens to a document after its last signature. finish: the values are stamped onto it; seal: one seal, with its time-stamp; store: it
 * becomes the authoritative copy, with its seal; certify: it is evaluated and certified.
 */
export type PipelineStep = "finish" | "seal" | "store" | "certify";

/** For metrics, of a step that succeeded. What fails is counted as a job. */
export interface TimedSteps {
  readonly onStep?: ((step: PipelineStep, seconds: number) => void) | undefined;
}

export async function timeStep<T>({ onStep }: TimedSteps, step: PipelineStep, run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await run();
  onStep?.(step, (performance.now() - began) / 1000);
  return result;
}
