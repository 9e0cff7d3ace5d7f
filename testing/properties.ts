import fc from "fast-check";

/**
 * Properties are tried with the same values in every run, so that a run tells about the change and not about luck. PROPERTY_SEED=random
 * tries others, and prints the seed of a failure; PROPERTY_SEED=<number> repeats one.
 */
const given = process.env.PROPERTY_SEED ?? "20261117";
if (given !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });

// biome-ignore lint/style/noDefaultExport: stands in for fast-check, which is imported like this everywhere.
export default fc;
