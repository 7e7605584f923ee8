/** The task queue: the store and the retry schedule. */
export {
  failedTaskRetentionDays,
  failuresPerDay,
  getMinutesSinceFirstAttempt,
  getRetryDelayMinutes,
  mailRetryLimitMinutes
} from "./Handler.ts"
export * from "./Tasks.ts"
