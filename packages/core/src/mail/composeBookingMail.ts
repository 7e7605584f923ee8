import type { BookingRecord } from "../booking/BookingView.ts"
import { guestName } from "../booking/guestName.ts"
import type { Org } from "../org/Org.ts"
import type { Task, TaskKind } from "../task/Task.ts"
import { fromContent } from "./automatedMail.ts"
import { bookingMail, type BookingMailOptions } from "./bookingMail.ts"
import type { Mail } from "./Mailer.ts"
import type { MeetingPoint } from "./MeetingPoint.ts"
import { toICalendar } from "./toICalendar.ts"

/**
 * Composes the email about the current state of a booking. Deterministic for the same task, record, and meeting point.
 * `publicUrl` has no trailing slash.
 */
export const composeBookingMail = (
  task: Pick<Task, "id" | "dueAt">,
  kind: TaskKind,
  record: BookingRecord,
  place: MeetingPoint | undefined,
  org: Org,
  publicUrl: string,
  options: BookingMailOptions = {}
): Mail & { readonly calendar: NonNullable<Mail["calendar"]> } => {
  const content = bookingMail(kind, record, place, org, publicUrl, options)
  const { customer } = record
  return {
    ...fromContent(task.id, { email: customer.email, name: guestName(record) }, content),
    // The time of the task, not of the sending, so that a repeated email is identical.
    calendar: toICalendar([record], place, org, ({ handle }) => `${publicUrl}/b/${handle}`, task.dueAt)
  }
}
