/** Storage adapters that each break a law in a single method. A law that covers many methods must check every one. */
import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { AutomationStore } from "@trailbook/core/automation"
import { BookingStore } from "@trailbook/core/booking"
import { SavedReplyStore } from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import { ResumableJobStore } from "@trailbook/core/job"
import { DiscountStore, OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, RequestKeys, UnitOfWork } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import type { ClaimedTask } from "@trailbook/core/task/Task"
import { WebhookStore } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { breakPort, eachAsked, oneByOne, swallowFailures } from "./brokenStorage.ts"

type Write<Given extends ReadonlyArray<unknown>> = (...given: Given) => Effect.Effect<void>

/** Runs a snapshot's writes on a different connection. */
const outside = <Id extends Storage, Port extends object>(
  tag: Context.Tag<Id, Port>,
  instead: (port: Port, through: <A extends ReadonlyArray<unknown>>(write: Write<A>) => Write<A>) => Partial<Port>
): Layer.Layer<Storage> =>
  Layer.provideMerge(
    Layer.effect(
      tag,
      Effect.gen(function*() {
        const port = yield* tag
        const run = Runtime.runPromise(yield* Effect.runtime())
        return { ...port, ...instead(port, (write) => (...args) => Effect.promise(() => run(write(...args)))) }
      })
    ),
    Memory.layer as Layer.Layer<Storage | Id>
  )

/** Replaces a stale claim on a task with the newest claim. */
const believing = (
  instead: (taskStore: TaskStore["Type"], newest: (task: ClaimedTask) => ClaimedTask) => Partial<TaskStore["Type"]>
) =>
  breakPort(TaskStore, (taskStore) => {
    const fences = new Map<string, number>()
    return {
      claim: (options) =>
        Effect.tap(taskStore.claim(options), (claims) =>
          Effect.sync(() => claims.forEach(({ fence, id }) => fences.set(id, fence)))),
      ...instead(taskStore, (task) => ({ ...task, fence: fences.get(task.id) ?? task.fence }))
    }
  })

/** Starts a separate transaction inside a snapshot instead of joining it. */
const unitInSnapshot = Layer.effect(
  UnitOfWork,
  Effect.gen(function*() {
    const units = yield* UnitOfWork
    const apart = Runtime.runPromise(yield* Effect.runtime())
    return UnitOfWork.of({
      ...units,
      run: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.contextWithEffect((context: Context.Context<R>) =>
          Effect.promise(() => apart(units.run(Effect.provide(work, context))))
        )
    })
  })
).pipe(Layer.provideMerge(Memory.layer))

export const methodControls: ReadonlyArray<readonly [law: string, method: string, storage: Layer.Layer<Storage>]> = [
  ["repeated/found", "BookingStore.lock", breakPort(BookingStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  [
    "repeated/found",
    "BookingStore.findByIdempotencyKey",
    breakPort(BookingStore, ({ findByIdempotencyKey: ask }) => ({ findByIdempotencyKey: eachAsked(ask) }))
  ],
  ["offerings/rows", "OfferingStore.find", breakPort(OfferingStore, ({ find }) => ({ find: eachAsked(find) }))],
  ["offerings/rows", "OfferingStore.lock", breakPort(OfferingStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  ["sessions/rows", "SessionStore.lock", breakPort(SessionStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  ["customers/rows", "CustomerStore.find", breakPort(CustomerStore, ({ find }) => ({ find: eachAsked(find) }))],
  ["customers/rows", "CustomerStore.lock", breakPort(CustomerStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  [
    "customers/rows",
    "CustomerStore.lockByEmail",
    breakPort(CustomerStore, ({ lockByEmail }) => ({ lockByEmail: eachAsked(lockByEmail) }))
  ],
  [
    "repeated/counted",
    "BookingStore.overlapping",
    breakPort(BookingStore, ({ overlapping }) => ({ overlapping: (queries) => overlapping([...new Set(queries)]) }))
  ],
  [
    "repeated/counted",
    "SessionStore.booked",
    breakPort(
      SessionStore,
      ({ countBookedSeats }) => ({ countBookedSeats: (queries) => countBookedSeats([...new Set(queries)]) })
    )
  ],

  ["constraints/api-keys", "ApiKeyStore.put", breakPort(ApiKeyStore, ({ put }) => ({ put: swallowFailures(put) }))],
  ["constraints/staff", "StaffStore.put", breakPort(StaffStore, ({ put }) => ({ put: swallowFailures(put) }))],
  ["constraints/logins", "LoginStore.put", breakPort(StaffSessionStore, ({ put }) => ({ put: swallowFailures(put) }))],
  [
    "constraints/sign-in-links",
    "LoginStore.putLink",
    breakPort(StaffSessionStore, ({ putLink }) => ({ putLink: swallowFailures(putLink) }))
  ],
  ["constraints/passkeys", "PasskeyStore.put", breakPort(PasskeyStore, ({ put }) => ({ put: swallowFailures(put) }))],
  ["constraints/audit", "AuditStore.add", breakPort(AuditStore, ({ add }) => ({ add: swallowFailures(add) }))],
  [
    "constraints/calls",
    "AssistantCallStore.add",
    breakPort(AssistantCallStore, ({ add }) => ({ add: swallowFailures(add) }))
  ],
  ["constraints/webhooks", "WebhookStore.add", breakPort(WebhookStore, ({ add }) => ({ add: swallowFailures(add) }))],
  ["constraints/org", "RequestKeys.bind", breakPort(RequestKeys, ({ bind }) => ({ bind: swallowFailures(bind) }))],
  [
    "constraints/org",
    "UnfinishedStore.put",
    breakPort(ResumableJobStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  ["constraints/org", "EventLog.append", breakPort(EventLog, ({ append }) => ({ append: swallowFailures(append) }))],
  ["constraints/org", "EventLog.touch", breakPort(EventLog, ({ touch }) => ({ touch: swallowFailures(touch) }))],

  [
    "constraints/offerings",
    "OfferingStore.put",
    breakPort(OfferingStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  ["constraints/sessions", "SessionStore.put", breakPort(SessionStore, ({ put }) => ({ put: swallowFailures(put) }))],
  [
    "constraints/discounts",
    "DiscountStore.put",
    breakPort(DiscountStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/saved-replies",
    "SavedReplyStore.put",
    breakPort(SavedReplyStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/automations",
    "AutomationStore.put",
    breakPort(AutomationStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],

  ["transactions/one-call", "OfferingStore.put", breakPort(OfferingStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "SessionStore.put", breakPort(SessionStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "CustomerStore.put", breakPort(CustomerStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "BookingStore.put", breakPort(BookingStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "TaskStore.add", breakPort(TaskStore, ({ add }) => ({ add: oneByOne(add) }))],
  ["transactions/one-call", "EventLog.append", breakPort(EventLog, ({ append }) => ({ append: oneByOne(append) }))],

  ["transactions/snapshot-read-only", "UnitOfWork.run", unitInSnapshot],
  [
    "transactions/snapshot-read-only",
    "UnitOfWork.snapshot",
    breakPort(UnitOfWork, () => ({ snapshot: (reads) => reads }))
  ],
  [
    "transactions/snapshot-read-only",
    "OrgStore.put",
    outside(OrgStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "ApiKeyStore.put",
    outside(ApiKeyStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "StaffStore.put",
    outside(StaffStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "LoginStore.put",
    outside(StaffSessionStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "OfferingStore.put",
    outside(OfferingStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "SessionStore.put",
    outside(SessionStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "CustomerStore.put",
    outside(CustomerStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "BookingStore.put",
    outside(BookingStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "TaskStore.add",
    outside(TaskStore, ({ add }, through) => ({ add: through(add) }))
  ],
  [
    "transactions/snapshot-read-only",
    "EventLog.append",
    outside(EventLog, ({ append }, through) => ({ append: through(append) }))
  ],
  [
    "transactions/snapshot-read-only",
    "EventLog.touch",
    outside(EventLog, ({ touch }, through) => ({ touch: through(touch) }))
  ],
  [
    "transactions/snapshot-read-only",
    "RequestKeys.bind",
    outside(RequestKeys, ({ bind }, through) => ({ bind: through(bind) }))
  ],
  [
    "transactions/snapshot-read-only",
    "UnfinishedStore.put",
    outside(ResumableJobStore, ({ put }, through) => ({ put: through(put) }))
  ],
  [
    "transactions/snapshot-read-only",
    "WebhookStore.add",
    outside(WebhookStore, ({ add }, through) => ({ add: through(add) }))
  ],

  ["tasks/void", "TaskStore.done", believing(({ done }, newest) => ({ done: (tasks) => done(tasks.map(newest)) }))],
  [
    "tasks/void",
    "TaskStore.postpone",
    believing(({ postpone }, newest) => ({ postpone: (task) => postpone(newest(task)) }))
  ],
  [
    "tasks/void",
    "TaskStore.giveUp",
    believing(({ giveUp }, newest) => ({ giveUp: (task) => giveUp(newest(task)) }))
  ],
  [
    "tasks/void",
    "TaskStore.release",
    believing(({ release }, newest) => ({ release: (tasks) => release(tasks.map(newest)) }))
  ]
]
