import type { BookingRecord } from "../booking/BookingView.ts"
import { guestName } from "../booking/guestName.ts"
import type { Org } from "../org/Org.ts"
import type { Task, TaskKind } from "../task/Task.ts"
import { fromContent } from "./automatedMail.ts"
import { bookingMail } from "./bookingMail.ts"
import type { Mail } from "./Mailer.ts"
import type { MeetingPoint } from "./MeetingPoint.ts"
import { toICalendar } from "./toICalendar.ts"

/**
 * The message that tells a guest of their booking as it is now. The same task,
 * record and meeting point make the same message. `publicUrl` has no slash at its end.
 *
 * @category converting
 */
export const composeBookingMail = (
  task: Pick<Task, "id" | "dueAt">,
  kind: TaskKind,
  record: BookingRecord,
  place: MeetingPoint | undefined,
  org: Org,
  publicUrl: string,
  mailed = ""
): Mail & { readonly calendar: NonNullable<Mail["calendar"]> } => {
  const content = bookingMail(kind, record, place, org, publicUrl, mailed)
  const { booking, customer } = record
  return {
    ...fromContent(task.id, { email: customer.email, name: guestName(record) }, content),
    // A moment of the task and not of the sending: the message is the same when it has to be sent twice.
    calendar: toICalendar(record, place, org, `${publicUrl}/b/${booking.handle}`, task.dueAt)
  }
}
