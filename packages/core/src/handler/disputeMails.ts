import * as Effect from "effect/Effect"
import { amount } from "../mail/amount.ts"
import { oneLine } from "../mail/oneLine.ts"
import { noticeSubject } from "../staff/noticeTasks.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Handler from "../task/Handler.ts"
import { fiveDays } from "../task/patience.ts"
import type { Task } from "../task/Task.ts"
import { paymentSubjects } from "./paymentSubjects.ts"
import { recipient, telling } from "./telling.ts"

/**
 * Tells the staff that a guest's bank wants a payment back. Providers leave
 * days to answer that, and take the money from who does not.
 *
 * @category handlers
 */
export const disputeMails = Effect.gen(function*() {
  const readPayments = yield* paymentSubjects
  const staff = yield* StaffStore
  const tell = yield* telling

  const read = (tasks: ReadonlyArray<Task>) =>
    Effect.gen(function*() {
      const subjects = yield* readPayments(tasks, (task) => noticeSubject(task).aboutId)
      const people = (yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), staff.list)).flat()
      return subjects.map((subject, at) => {
        const { orgId, subjectId } = tasks[at] ?? { orgId: "", subjectId: "" }
        const { staffId } = noticeSubject({ subjectId })
        const member = people.find((one) => one.id === staffId && one.orgId === orgId && one.notify)
        return subject && member && { ...subject, member }
      })
    })

  return Handler.make({
    triedForMinutes: fiveDays,
    read,
    run: ({ id }, { member, org, payment, record: { booking } }) =>
      tell({
        id,
        about: "dispute",
        aboutId: payment.id,
        org: { id: org.id, name: oneLine(org.name) },
        to: recipient(member),
        subject: `A payment is disputed: booking ${booking.reference}`,
        text: `The guest's bank wants ${amount(payment.cents, payment.currency)} back that was paid for booking ` +
          `${booking.reference}.\n\nAnswer it where you take payments (${payment.provider}), with what shows that ` +
          "the booking was made and kept. Until then the money is held back, and who does not answer in time loses it.",
        replyTo: null
      })
  })
})
