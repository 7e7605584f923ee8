import * as Effect from "effect/Effect"
import { makeAutomatedMail } from "../mail/automatedMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { renderButtonMail } from "../mail/renderPlainMail.ts"
import { formatNameForMail, toSingleLine } from "../mail/toSingleLine.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import { invitationDays } from "../staff/sign-in/StaffSession.ts"
import { StaffSessions } from "../staff/sign-in/StaffSessions.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import * as Handler from "../task/Handler.ts"
import { mailRetryLimitMinutes } from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { makeAttachOrg, runAsTask } from "./taskSubjects.ts"

/**
 * Emails invitations to new staff members, with a sign-in link. The secret is created when the email is sent and is not
 * stored. A repeated email contains a new secret.
 */
export const makeInvitationMailHandler = ({ staffUrl }: { readonly staffUrl: string }) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const staff = yield* StaffStore
    const { link } = yield* StaffSessions
    const attachOrgs = yield* makeAttachOrg

    const loadMembers = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const members = (yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), staff.list)).flat()
        return yield* attachOrgs(tasks, ({ orgId, subjectId }) => {
          // Send no email if the staff member has been removed since.
          const [memberId, inviterId] = subjectId.split(" ")
          const findMember = (id: string | undefined) => members.find((one) => one.id === id && one.orgId === orgId)
          const member = findMember(memberId)
          return member && { member, inviter: findMember(inviterId) }
        })
      })

    return Handler.make({
      triedForMinutes: mailRetryLimitMinutes,
      read: loadMembers,
      run: (task, { inviter, member, org }) =>
        Effect.gen(function*() {
          const { id: staffId, orgId } = member
          const minutes = invitationDays * 24 * 60
          const secret = yield* Effect.provideService(link({ orgId, staffId, minutes }), TenantScope, [orgId])
          const outfitter = toSingleLine(org.name)
          return yield* runAsTask(mailer.send(makeAutomatedMail(task.id, outfitter, member, {
            subject: `Invitation to join ${outfitter}`,
            ...invitationMail({
              outfitter,
              inviter: formatNameForMail(inviter?.name || inviter?.email || ""),
              url: `${staffUrl}/sign-in/${secret}`,
              page: `${staffUrl}/sign-in`
            })
          })))
        })
    })
  })

/** Returns the invitation for a new staff member. */
const invitationMail = ({ inviter, outfitter, page, url }: {
  readonly outfitter: string
  /** The name of the staff member who sent the invitation, or an empty string. */
  readonly inviter: string
  /** The single-use sign-in link. */
  readonly url: string
  /** The page for requesting another link. */
  readonly page: string
}): { readonly text: string; readonly html: string } =>
  renderButtonMail({
    lead: `${inviter === "" ? "You were added" : `${inviter} added you`} as a staff member of ${
      ensureFinalPeriod(outfitter)
    } Use this link to sign in:`,
    button: "Sign in",
    url,
    rest: [`The link works once and expires in ${invitationDays} days. To get a new link, go to ${page}`],
    closing: "If you did not expect this invitation, you can safely ignore this email."
  })
