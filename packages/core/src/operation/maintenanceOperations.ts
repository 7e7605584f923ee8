/** Operations that let owners manage failed tasks and webhooks. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { BookingStore } from "../booking/BookingStore.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { CustomerStore, getContactEmail } from "../customer/Customer.ts"
import { parseProofTaskSubject } from "../customer/EmailProof.ts"
import { PaymentStore } from "../payment/Payment.ts"
import { EventLog } from "../port/EventLog.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound } from "../Refusal.ts"
import {
  isStaffNotificationTask,
  parseStaffNotificationSubject,
  paymentStaffNotificationKinds
} from "../staff/Notifier.ts"
import { StaffMembers } from "../staff/StaffMembers.ts"
import { failuresPerDay } from "../task/Handler.ts"
import { type Task, type TaskKind, taskKinds } from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { Deliveries } from "../webhook/Deliveries.ts"
import { classifyResponse, deliveryFaults, WebhookStore } from "../webhook/Webhook.ts"
import * as Cursor from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Id, Integer, page, Timestamp } from "../wire/View.ts"
import * as PageOperation from "./PageOperation.ts"
import type { OperationHandlers } from "./Registry.ts"

/** A task's subject for display. All fields are empty if the subject no longer exists. */
const TaskSubjectView = Schema.Struct({
  booking_id: Schema.NullOr(Id),
  reference: Field.withDescription("the booking's reference", Schema.String),
  conversation_id: Schema.NullOr(Id),
  who: Field.withDescription("the affected guest or staff member, by name or email address", Schema.String)
})

const TaskView = Schema.Struct({
  id: Id,
  kind: Schema.Literal(...taskKinds),
  subject_id: Field.withDescription(
    "the task's subject: a booking, message, or payment, depending on the kind",
    Schema.String
  ),
  about: TaskSubjectView,
  attempts: Field.withDescription("the number of failed attempts", Integer),
  last_error: Schema.NullOr(Schema.String),
  due_at: Field.withDescription("when the task will be retried, unless it failed permanently", Timestamp),
  given_up_at: Schema.NullOr(Timestamp)
})
const taskView = makeViewMapper(TaskView)

const makeOperation = PageOperation.makePageOperations("staff")
const webhookField = Field.withDescription("the webhook", Field.uuid)

export const staffTasks = makeOperation("staff.tasks", {
  input: Schema.Struct(Field.paging),
  output: page(TaskView)
})

export const staffRetryTask = makeOperation("staff.retryTask", {
  input: Schema.Struct({ id: Field.withDescription("a failed task", Field.uuid) }),
  output: Schema.Struct({ id: Id, due_at: Timestamp }),
  refusals: ["not_found"]
})

export const staffTestWebhook = makeOperation("staff.testWebhook", {
  input: Schema.Struct({ id: webhookField }),
  output: Schema.Struct({
    ok: Schema.Boolean,
    status: Field.withDescription("the HTTP status of the response, or 0 if there was none", Integer),
    error: Schema.NullOr(Schema.Literal(...deliveryFaults))
  }),
  refusals: ["not_found"]
})

export const staffReplayWebhook = makeOperation("staff.replayWebhook", {
  input: Schema.Struct({
    id: webhookField,
    from: Field.withDescription("the first event to redeliver", Field.integer(1, Number.MAX_SAFE_INTEGER))
  }),
  output: Schema.Struct({ from: Integer, newest: Field.withDescription("the outfitter's newest event", Integer) }),
  refusals: ["not_found"]
})

export const maintenanceOperations = [staffTasks, staffRetryTask, staffTestWebhook, staffReplayWebhook] as const

export const maintenanceHandlers = Effect.gen(function*() {
  const tasks = yield* TaskStore
  const log = yield* EventLog
  const webhooks = yield* WebhookStore
  const deliveries = yield* Deliveries
  const { run } = yield* UnitOfWork
  const describeTasks = yield* makeDescribeTasks
  const cursors = Cursor.makeCursors("staff.tasks")
  return {
    "staff.tasks": ({ cursor, limit = Cursor.defaultPageSize }, { orgId }) =>
      Effect.gen(function*() {
        const after = cursor === undefined ? undefined : { orgId, id: (yield* cursors.read(cursor)).id }
        const failingTasks = yield* tasks.failing({ orgId, failures: failuresPerDay, after, limit: limit + 1 })
        const describeTask = yield* describeTasks(orgId, failingTasks)
        const view = (task: Task) => taskView({ ...task, about: describeTask(task) })
        return cursors.page(failingTasks, limit, view, ({ id }) => ({ at: 0, id }))
      }),
    "staff.retryTask": ({ id }, { orgId }) =>
      Effect.gen(function*() {
        const now = yield* currentTime
        // A task cannot be retried while a worker is running it.
        const [retriedTask] = yield* run(
          Effect.tap(tasks.retry([{ orgId, id }], now), ({ length }) => length === 0 ? Effect.void : log.touch(orgId))
        )
        if (retriedTask === undefined) return yield* notFound("retryable task", id)
        return { id, due_at: Instant.format(now) }
      }),
    "staff.testWebhook": ({ id }, { orgId }) =>
      Effect.map(deliveries.test({ orgId, id }), (response) => {
        const outcome = classifyResponse(response)
        return outcome._tag === "Taken"
          ? { ok: true, status: outcome.status, error: null }
          : { ok: false, status: outcome.status, error: outcome.fault }
      }),
    "staff.replayWebhook": ({ from, id }, { orgId }) =>
      Effect.gen(function*() {
        if (Option.isNone(yield* webhooks.find({ orgId, id }))) return yield* notFound("webhook", id)
        const newest = (yield* log.latest(orgId, 1))[0]?.id ?? 0
        // Rewinding past the newest event would skip future events.
        if (from > newest) return yield* invalid(`from: must be at most ${newest}, the ID of the newest event`)
        if (
          !(yield* run(Effect.zipLeft(webhooks.rewind({ orgId, id }, from - 1), log.touch(orgId))))
        ) return yield* notFound("webhook", id)
        return { from, newest }
      })
  } satisfies OperationHandlers<typeof maintenanceOperations>
})

type TaskSubject = typeof TaskSubjectView.Type

const bookingTaskKinds: ReadonlySet<TaskKind> = new Set([
  "mail.held",
  "mail.confirmed",
  "mail.moved",
  "mail.updated",
  "mail.cancelled",
  "mail.payment",
  "mail.link"
])
const paymentTaskKinds: ReadonlySet<TaskKind> = new Set(["checkout.open", "checkout.close", "refund", "mail.returned"])

/** Loads the subjects of an org's tasks with one call per store. */
const makeDescribeTasks = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* CustomerStore
  const messages = yield* MessageStore
  const payments = yield* PaymentStore
  const staff = yield* StaffMembers

  return (orgId: string, tasks: ReadonlyArray<Task>): Effect.Effect<(task: Task) => TaskSubject> =>
    Effect.gen(function*() {
      const keysOf = (idOf: (task: Task) => string | undefined) =>
        tasks.flatMap((task) => {
          const id = idOf(task)
          return id === undefined ? [] : [{ orgId, id }]
        })
      const paymentsById = indexById(yield* payments.find(keysOf(paymentIdOf)))
      const bookingIdOf = (task: Task) =>
        bookingTaskKinds.has(task.kind) ? task.subjectId : paymentsById.get(paymentIdOf(task) ?? "")?.bookingId
      const bookingsById = new Map(
        (yield* bookings.find(keysOf(bookingIdOf))).map((record) => [record.booking.id, record])
      )
      const messagesById = indexById(yield* messages.find(keysOf(messageIdOf)))
      const customerIdOf = (task: Task) =>
        task.kind === "mail.proof"
          ? parseProofTaskSubject(task).customerId
          : messagesById.get(messageIdOf(task) ?? "")?.customerId ?? undefined
      const customersById = indexById(yield* customers.find(keysOf(customerIdOf)))
      const staffById = indexById(tasks.some((task) => staffIdOf(task) !== undefined) ? yield* staff.list(orgId) : [])

      return (task) => {
        const record = bookingsById.get(bookingIdOf(task) ?? "")
        const message = messagesById.get(messageIdOf(task) ?? "")
        const person = staffById.get(staffIdOf(task) ?? "") ?? record?.customer ??
          customersById.get(customerIdOf(task) ?? "")
        return {
          booking_id: record?.booking.id ?? null,
          reference: record?.booking.reference ?? "",
          conversation_id: message?.conversationId ?? null,
          who: person === undefined ? "" : person.name || getContactEmail(person)
        }
      }
    })
})

const paymentIdOf = (task: Task): string | undefined =>
  paymentTaskKinds.has(task.kind)
    ? task.subjectId
    : paymentStaffNotificationKinds.some((kind) => kind === task.kind)
    ? parseStaffNotificationSubject(task).aboutId
    : undefined

const messageIdOf = (task: Task): string | undefined =>
  task.kind === "mail.message"
    ? task.subjectId
    : task.kind === "mail.staff"
    ? parseStaffNotificationSubject(task).aboutId
    : undefined

/** Returns the ID of the staff member who should be notified. */
const staffIdOf = (task: Task): string | undefined =>
  task.kind === "mail.invitation"
    ? task.subjectId.split(" ")[0]
    : isStaffNotificationTask(task)
    ? parseStaffNotificationSubject(task).staffId
    : undefined

const indexById = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(rows.map((row) => [row.id, row]))
