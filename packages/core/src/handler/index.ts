/** Task handlers, which send email and continue jobs. */
export * from "./JobResumer.ts"
export * as TaskHandlers from "./TaskHandlers.ts"
