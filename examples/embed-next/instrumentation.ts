/**
 * Next calls this once, when its server starts, and answers nothing before it has ended. Should it fail, Next answers every
 * request with 500 for as long as the process lives, so it does not wait for the database.
 */
export const register = async (): Promise<void> => {
  // Next also compiles this for the edge, where there is no database; only what stands within this condition is left out there.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWorker } = await import("./lib/startWorker.ts")
    void startWorker()
  }
}
