/** A stream of `chunks`. Stops the generator when the reader cancels. */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array, undefined>,
  strategy?: QueuingStrategy<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    strategy,
  );
}
