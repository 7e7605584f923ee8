import * as Struct from "effect/Struct"
import type { Instant } from "../time/Instant.ts"

/**
 * Where a task waits. Each lane has room of its own, so tasks that are slow or
 * many hold up their lane and no other: `mail` for what somebody waits for, `bulk`
 * for mails to many, `money` for payment providers, `own` for the service itself.
 *
 * @category models
 */
export type Lane = "mail" | "bulk" | "money" | "own"

/**
 * Every kind of task, and the lane of its tasks where nothing else is said. What
 * each does is said by its handler.
 *
 * @category models
 */
export const defaultLanes = {
  "mail.held": "mail",
  "mail.confirmed": "mail",
  "mail.moved": "mail",
  "mail.cancelled": "mail",
  "mail.message": "mail",
  "mail.staff": "mail",
  "notice.messages": "mail",
  "mail.link": "mail",
  "mail.invitation": "mail",
  broadcast: "own",
  "mail.returned": "mail",
  "mail.dispute": "mail",
  "mail.mismatch": "mail",
  "mail.refund": "mail",
  "mail.proposal": "mail",
  "checkout.open": "money",
  "checkout.close": "money",
  refund: "money",
  "file.remove": "own"
} as const satisfies Record<string, Lane>

/**
 * @category models
 */
export type TaskKind = keyof typeof defaultLanes

/**
 * @category constants
 */
export const taskKinds: ReadonlyArray<TaskKind> = Struct.keys(defaultLanes)

/**
 * @category constants
 */
export const lanes: ReadonlyArray<Lane> = ["mail", "bulk", "money", "own"]

/**
 * Something to do once a unit of work has committed. A task names its subject and
 * holds no words and no addresses: what it says is made when it runs, so an erasure
 * need not look here.
 *
 * @category models
 */
export interface Task {
  readonly id: string
  readonly orgId: string
  readonly kind: TaskKind
  readonly lane: Lane
  /** What it is about, within its org; of which sort that is follows from the kind. It may be gone by the time the task runs. */
  readonly subjectId: string
  /** Not before this moment; moved into the future after a failure. */
  readonly dueAt: Instant
  /** How often it has failed since it was made or started again. */
  readonly attempts: number
  /** What went wrong last, for the outfitter to see; null while nothing did. */
  readonly lastError: string | null
  /** When it was given up: it runs no more unless somebody starts it again. Null while it waits. */
  readonly givenUpAt: Instant | null
}

/**
 * A task that somebody is running. `fence` is another after every claim.
 *
 * @category models
 */
export interface ClaimedTask extends Task {
  readonly fence: number
}

/**
 * A task that nobody has tried.
 *
 * @category constructors
 */
export const make = (
  given: Pick<Task, "id" | "orgId" | "kind" | "subjectId" | "dueAt"> & { readonly lane?: Lane }
): Task => ({
  lane: defaultLanes[given.kind],
  ...given,
  attempts: 0,
  lastError: null,
  givenUpAt: null
})
