/**
 * Next calls this function once on startup and serves no requests until it returns. If it fails, Next answers every
 * request with 500 until the process ends, so this function does not wait for the database.
 */
export const register = async (): Promise<void> => {
  // Next also compiles this file for the edge runtime, which has no database. For that runtime, Next removes only the
  // code inside this condition.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWorker } = await import("./lib/startWorker.ts")
    void startWorker()
  }
}
