/** Jobs that run in steps and continue after a restart. */
export {
  type JobSubject,
  jobSubjects,
  type ResumableJob,
  type ResumableJobKey,
  ResumableJobStore
} from "./defineJob.ts"
