/** Next calls this once, when its server starts. */
export const register = async (): Promise<void> => {
  // Next also compiles this for the edge, where there is no database; only what stands within this condition is left out there.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { outfitter } = await import("./lib/outfitter.ts")
    await outfitter.worker.start()
  }
}
