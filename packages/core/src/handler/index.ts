/** Task handlers that send email and continue jobs. */
export * from "./JobResumer.ts"
export * as TaskHandlers from "./TaskHandlers.ts"
