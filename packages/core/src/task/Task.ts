import * as Struct from "effect/Struct"
import type { Instant } from "../time/Instant.ts"

/**
 * The queue for a task. Each queue has its own concurrency limit, so slow or numerous tasks delay only tasks in the same
 * queue. `mail` is for email that a person waits for, `bulk` for email to many recipients, `money` for payment
 * providers, and `own` for the service itself.
 */
export type TaskQueue = "mail" | "bulk" | "money" | "own"

/** All task kinds with their default queues. */
export const defaultQueues = {
  "mail.held": "mail",
  "mail.confirmed": "mail",
  "mail.moved": "mail",
  "mail.updated": "mail",
  "mail.cancelled": "mail",
  "mail.guest_cancelled": "mail",
  "mail.expired": "mail",
  "mail.message": "mail",
  "mail.staff": "mail",
  "notice.messages": "mail",
  "mail.link": "mail",
  "mail.proof": "mail",
  "mail.invitation": "mail",
  broadcast: "own",
  "mail.returned": "mail",
  "mail.payment": "mail",
  "mail.dispute": "mail",
  "mail.mismatch": "mail",
  "mail.refund": "mail",
  "mail.proposal": "mail",
  "checkout.open": "money",
  "checkout.close": "money",
  refund: "money",
  "file.remove": "own",
  "photo.remove": "own"
} as const satisfies Record<string, TaskQueue>

export type TaskKind = keyof typeof defaultQueues

/** The email about an expired hold, or about a cancellation by the outfitter or the guest. */
export type CancellationMailKind = "mail.cancelled" | "mail.guest_cancelled" | "mail.expired"

export const taskKinds: ReadonlyArray<TaskKind> = Struct.keys(defaultQueues)

export const taskQueues: ReadonlyArray<TaskQueue> = ["mail", "bulk", "money", "own"]

/**
 * Work to do after a transaction commits. A task contains its subject's ID but no text or addresses, so an erasure does
 * not need to search tasks.
 */
export interface Task {
  readonly id: string
  readonly orgId: string
  readonly kind: TaskKind
  readonly queue: TaskQueue
  /**
   * The subject's ID within the org. Its type depends on the task's kind. The subject may be deleted before the task
   * runs.
   */
  readonly subjectId: string
  /** The earliest time at which the task can run. Each failure postpones it. */
  readonly dueAt: Instant
  /** The number of failures since the task was created, was restarted, or last ran without a failure. */
  readonly attempts: number
  /** The last error, shown to the outfitter. Null before the first failure. */
  readonly lastError: string | null
  /**
   * The time when the task failed permanently. After that, the task runs only if it is retried manually. Null while the
   * task is pending.
   */
  readonly givenUpAt: Instant | null
}

/** A task that a worker has claimed. Every claim gets a new `fence`. */
export interface ClaimedTask extends Task {
  readonly fence: number
}

/** Creates a task that has not been attempted yet. */
export const make = (
  input: Pick<Task, "id" | "orgId" | "kind" | "subjectId" | "dueAt"> & { readonly queue?: TaskQueue }
): Task => ({
  queue: defaultQueues[input.kind],
  ...input,
  attempts: 0,
  lastError: null,
  givenUpAt: null
})
