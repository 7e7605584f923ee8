import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { GuestConversations, linkMinutes } from "../conversation/GuestConversations.ts"
import { fromContent } from "../mail/automatedMail.ts"
import { linkMail } from "../mail/linkMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { TenantScope } from "../port/TenantScope.ts"
import * as Handler from "../task/Handler.ts"
import { bookingSubjects } from "./bookingSubjects.ts"
import { completeAfter } from "./completeAfter.ts"
import type { Options } from "./TaskHandlers.ts"
import { unprovenMails } from "./unprovenMails.ts"

/**
 * Emails a link that shows a guest all of their messages. The secret is created when the email is sent and is not
 * stored. A repeated email contains a new secret.
 */
export const linkMails = ({ publicUrl }: Pick<Options, "publicUrl">) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const read = yield* bookingSubjects
    const { link } = yield* GuestConversations
    const { ofBooking: delayedUntil } = yield* unprovenMails

    return Handler.make({
      // After that time, the guest no longer expects it.
      triedForMinutes: linkMinutes,
      read,
      run: (task, { org, record }) =>
        Effect.gen(function*() {
          const { booking: { handle, id, orgId }, customer } = record
          const laterAt = yield* delayedUntil(task, record.booking)
          if (laterAt !== undefined) return { laterAt }
          const secret = Option.getOrUndefined(yield* Effect.provideService(link({ orgId, id }), TenantScope, [orgId]))
          if (secret === undefined) return "done" as const
          const content = linkMail(record, org, `${publicUrl}/b/${handle}/messages/${secret}`)
          return yield* completeAfter(mailer.send(fromContent(task.id, customer, content)))
        })
    })
  })
