import * as Effect from "effect/Effect"
import type { Booking } from "../booking/Booking.ts"
import { compose } from "../mail/compose.ts"
import { Mailer } from "../mail/Mailer.ts"
import { meetingPointOf } from "../mail/MeetingPoint.ts"
import * as Handler from "../task/Handler.ts"
import { fiveDays } from "../task/patience.ts"
import type { TaskKind } from "../task/Task.ts"
import { bookingSubjects } from "./bookingSubjects.ts"

/**
 * Mails that tell a guest what happened to their booking.
 *
 * @category handlers
 */
export const bookingMails = (publicUrl: string) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const read = yield* bookingSubjects
    return Handler.make({
      triedForMinutes: fiveDays,
      read,
      run: (task, { offering, org, record }) => {
        // An erased guest has no address left to write to.
        if (record.customer.email === "" || isOvertaken(task.kind, record.booking)) return Handler.nothingToDo
        const place = offering && meetingPointOf(offering)
        return Effect.mapBoth(mailer.send(compose(task, task.kind, record, place, org, publicUrl)), {
          onSuccess: () => "done" as const,
          onFailure: ({ message, permanent }) => new Handler.TaskFailed({ message, permanent })
        })
      }
    })
  })

/** News that later news has made untrue; the guest gets only that, also when this was delayed behind it. */
const isOvertaken = (kind: TaskKind, { status }: Booking): boolean =>
  (status === "cancelled" && kind !== "mail.cancelled") || (status === "confirmed" && kind === "mail.held")
