import { TrailbookError } from "trailbook"
import { outfitter } from "./outfitter.ts"

/** Starts the worker once the database is available. */
export const startWorker = async (): Promise<void> => {
  try {
    await outfitter.worker.start()
  } catch (error) {
    console.error(error)
    if (error instanceof TrailbookError && error.retryable) setTimeout(startWorker, 5000).unref()
  }
}
