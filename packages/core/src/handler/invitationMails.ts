import * as Effect from "effect/Effect"
import { generated } from "../mail/generated.ts"
import { invitationMail } from "../mail/invitationMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { oneLine } from "../mail/oneLine.ts"
import { Tenants } from "../port/Tenants.ts"
import { Logins } from "../staff/Logins.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Handler from "../task/Handler.ts"
import { fiveDays } from "../task/patience.ts"
import type { Task } from "../task/Task.ts"
import { besideOrgs } from "./besideOrgs.ts"
import { done } from "./done.ts"
import type { Options } from "./TaskHandlers.ts"

/**
 * Mails to people who were put on the staff, with a link that signs them in. Its secret is
 * made when the mail leaves and is written nowhere but in it; one that leaves again has another.
 *
 * @category handlers
 */
export const invitationMails = ({ publicUrl }: Pick<Options, "publicUrl">) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const staff = yield* StaffStore
    const { link } = yield* Logins
    const withOrgs = yield* besideOrgs

    const read = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const people = (yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), staff.list)).flat()
        return yield* withOrgs(tasks, ({ orgId, subjectId }) => {
          // Whoever was removed again is not invited any more.
          const member = people.find((one) => one.id === subjectId && one.orgId === orgId)
          return member && { member }
        })
      })

    return Handler.make({
      triedForMinutes: fiveDays,
      read,
      run: (task, { member, org }) =>
        Effect.gen(function*() {
          const { id: staffId, orgId } = member
          const secret = yield* Effect.provideService(link({ orgId, staffId }), Tenants, [orgId])
          const outfitter = oneLine(org.name)
          return yield* done(mailer.send(generated(task.id, outfitter, member, {
            subject: `You are on the staff of ${outfitter}`,
            ...invitationMail({ outfitter, url: `${publicUrl}/sign-in/${secret}`, page: `${publicUrl}/sign-in` })
          })))
        })
    })
  })
