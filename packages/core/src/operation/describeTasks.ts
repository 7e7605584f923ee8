import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BookingStore } from "../booking/BookingStore.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { knownEmail } from "../customer/Customer.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { parseProofSubject } from "../customer/EmailProof.ts"
import { PaymentStore } from "../payment/PaymentStore.ts"
import { isNotice, noticeSubject, paymentNoticeKinds } from "../staff/noticeTasks.ts"
import { StaffMembers } from "../staff/StaffMembers.ts"
import type { Task, TaskKind } from "../task/Task.ts"
import { withDescription } from "../wire/Field.ts"
import { Id } from "../wire/View.ts"

/** A task's subject for display. All fields are empty if the subject no longer exists. */
export const TaskSubjectView = Schema.Struct({
  booking_id: Schema.NullOr(Id),
  reference: withDescription("the booking's reference", Schema.String),
  conversation_id: Schema.NullOr(Id),
  who: withDescription("the affected guest or staff member, by name or email address", Schema.String)
})

type About = typeof TaskSubjectView.Type

const ofBooking: ReadonlySet<TaskKind> = new Set([
  "mail.held",
  "mail.confirmed",
  "mail.moved",
  "mail.updated",
  "mail.cancelled",
  "mail.payment",
  "mail.link"
])
const ofPayment: ReadonlySet<TaskKind> = new Set(["checkout.open", "checkout.close", "refund", "mail.returned"])

/** Loads the subjects of an org's tasks with one call to each store. */
export const makeDescribeTasks = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* CustomerStore
  const messages = yield* MessageStore
  const payments = yield* PaymentStore
  const staff = yield* StaffMembers

  return (orgId: string, tasks: ReadonlyArray<Task>): Effect.Effect<(task: Task) => About> =>
    Effect.gen(function*() {
      const keysOf = (idOf: (task: Task) => string | undefined) =>
        tasks.flatMap((task) => {
          const id = idOf(task)
          return id === undefined ? [] : [{ orgId, id }]
        })
      const paymentsById = byId(yield* payments.find(keysOf(paymentOf)))
      const bookingOf = (task: Task) =>
        ofBooking.has(task.kind) ? task.subjectId : paymentsById.get(paymentOf(task) ?? "")?.bookingId
      const bookingsById = new Map(
        (yield* bookings.find(keysOf(bookingOf))).map((record) => [record.booking.id, record])
      )
      const messagesById = byId(yield* messages.find(keysOf(messageOf)))
      const customerOf = (task: Task) =>
        task.kind === "mail.proof"
          ? parseProofSubject(task).customerId
          : messagesById.get(messageOf(task) ?? "")?.customerId ?? undefined
      const guests = byId(yield* customers.find(keysOf(customerOf)))
      const people = byId(tasks.some((task) => memberOf(task) !== undefined) ? yield* staff.list(orgId) : [])

      return (task) => {
        const record = bookingsById.get(bookingOf(task) ?? "")
        const message = messagesById.get(messageOf(task) ?? "")
        const who = people.get(memberOf(task) ?? "") ?? record?.customer ?? guests.get(customerOf(task) ?? "")
        return {
          booking_id: record?.booking.id ?? null,
          reference: record?.booking.reference ?? "",
          conversation_id: message?.conversationId ?? null,
          who: who === undefined ? "" : who.name || knownEmail(who)
        }
      }
    })
})

const paymentOf = (task: Task): string | undefined =>
  ofPayment.has(task.kind)
    ? task.subjectId
    : paymentNoticeKinds.some((kind) => kind === task.kind)
    ? noticeSubject(task).aboutId
    : undefined

const messageOf = (task: Task): string | undefined =>
  task.kind === "mail.message" ? task.subjectId : task.kind === "mail.staff" ? noticeSubject(task).aboutId : undefined

/** Returns the staff member who should be notified. */
const memberOf = (task: Task): string | undefined =>
  task.kind === "mail.invitation"
    ? task.subjectId.split(" ")[0]
    : isNotice(task)
    ? noticeSubject(task).staffId
    : undefined

const byId = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(rows.map((row) => [row.id, row]))
