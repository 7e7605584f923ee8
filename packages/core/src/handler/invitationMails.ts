import * as Effect from "effect/Effect"
import { automatedMail } from "../mail/automatedMail.ts"
import { invitationMail } from "../mail/invitationMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { toSingleLine } from "../mail/sanitizeHeader.ts"
import { TenantScope } from "../port/TenantScope.ts"
import { StaffSessions } from "../staff/StaffSessions.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Handler from "../task/Handler.ts"
import { mailRetryLimit } from "../task/retryPolicy.ts"
import type { Task } from "../task/Task.ts"
import { completeAfter } from "./completeAfter.ts"
import type { Options } from "./TaskHandlers.ts"
import { makeAttachOrg } from "./withOrg.ts"

/**
 * Emails invitations to new staff members, with a sign-in link. The secret is created when the email is sent and is not
 * stored. A repeated email contains a new secret.
 */
export const invitationMails = ({ publicUrl }: Pick<Options, "publicUrl">) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const staff = yield* StaffStore
    const { link } = yield* StaffSessions
    const withOrgs = yield* makeAttachOrg

    const read = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const people = (yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), staff.list)).flat()
        return yield* withOrgs(tasks, ({ orgId, subjectId }) => {
          // A staff member who was removed in the meantime gets no email.
          const member = people.find((one) => one.id === subjectId && one.orgId === orgId)
          return member && { member }
        })
      })

    return Handler.make({
      triedForMinutes: mailRetryLimit,
      read,
      run: (task, { member, org }) =>
        Effect.gen(function*() {
          const { id: staffId, orgId } = member
          const secret = yield* Effect.provideService(link({ orgId, staffId }), TenantScope, [orgId])
          const outfitter = toSingleLine(org.name)
          return yield* completeAfter(mailer.send(automatedMail(task.id, outfitter, member, {
            subject: `Invitation to join the staff of ${outfitter}`,
            ...invitationMail({ outfitter, url: `${publicUrl}/sign-in/${secret}`, page: `${publicUrl}/sign-in` })
          })))
        })
    })
  })
