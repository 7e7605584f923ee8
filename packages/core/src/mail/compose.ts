import type { BookingRecord } from "../booking/BookingView.ts"
import type { Org } from "../org/Org.ts"
import type { Task, TaskKind } from "../task/Task.ts"
import { bookingMail } from "./bookingMail.ts"
import { calendarOf } from "./calendarOf.ts"
import { generated } from "./generated.ts"
import type { Mail } from "./Mailer.ts"
import { mailHtml } from "./mailHtml.ts"
import { mailText } from "./mailText.ts"
import type { MeetingPoint } from "./MeetingPoint.ts"
import { oneLine } from "./oneLine.ts"

/**
 * The message that tells a guest of their booking as it is now. The same task,
 * record and meeting point make the same message. `publicUrl` has no slash at its end.
 *
 * @category converting
 */
export const compose = (
  task: Pick<Task, "id" | "dueAt">,
  kind: TaskKind,
  record: BookingRecord,
  place: MeetingPoint | undefined,
  org: Org,
  publicUrl: string
): Mail & { readonly calendar: NonNullable<Mail["calendar"]> } => {
  const content = bookingMail(kind, record, place, org, publicUrl)
  const { booking, customer } = record
  return {
    ...generated,
    id: task.id,
    from: { name: content.outfitter },
    to: { name: oneLine(customer.name), email: customer.email },
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(content),
    // A moment of the task and not of the sending: the message is the same when it has to be sent twice.
    calendar: calendarOf(record, place, org, `${publicUrl}/b/${booking.handle}`, task.dueAt)
  }
}
