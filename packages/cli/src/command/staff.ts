import { StaffMembers, staffMemberView } from "@trailbook/core/staff"
import { accountsLayer, makeSignInLink } from "@trailbook/runtime/accountsLayer"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { withDatabase } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const add: CommandRunner<"staff add"> = async ({
  database,
  json,
  link,
  memberEmail: email,
  memberName: name,
  noNotify,
  notify,
  org,
  role,
  workerPublicUrl: publicUrl
}) => {
  if (notify && noNotify) throw new UsageError("Use either --notify or --no-notify, not both.", "staff add")
  const { member, url } = await withDatabase(database, accountsLayer, function*() {
    const { id: orgId } = yield* findOrgOrDefault(org)
    const member = yield* Effect.mapError(
      (yield* StaffMembers).add({
        orgId,
        email,
        name,
        role,
        notify: notify ? true : noNotify ? false : undefined,
        by: { _tag: "Operator" }
      }),
      ({ message }) => new OperatorError(message)
    )
    return { member, url: link ? yield* Effect.orDie(makeSignInLink(orgId, email, publicUrl)) : undefined }
  })
  if (json) Print.json({ ...staffMemberView(member), ...(url === undefined ? {} : { sign_in_url: url }) })
  else {
    const memberText = member.name === "" ? email : `${member.name} (${email})`
    const roleText = member.role === "owner" ? "an owner" : "a staff member"
    Print.line(`${memberText} is ${roleText} and is ${member.notify ? "" : "not "}notified of guest messages.`)
    if (url !== undefined) {
      Print.line(url)
      Print.note("The link works once and expires after 15 minutes.")
    }
  }
}

export const list: CommandRunner<"staff list"> = async ({ database, json, org }) => {
  const staff = await withDatabase(database, accountsLayer, function*() {
    const { id } = yield* findOrgOrDefault(org)
    return yield* (yield* StaffMembers).list(id)
  })
  if (json) Print.json({ data: staff.map(staffMemberView) })
  else if (staff.length === 0) Print.note("No staff members. To add a staff member, run trailbook staff add.")
  else {
    Print.table(staff, {
      EMAIL: ({ email }) => email,
      NAME: ({ name }) => name,
      ROLE: ({ role }) => role,
      NOTIFIED: ({ notify }) => notify ? "yes" : "no",
      ADDED: ({ createdAt }) => Print.formatDay(createdAt)
    })
  }
}

export const remove: CommandRunner<"staff remove"> = async ({ database, json, memberEmail: email, org }) => {
  const member = await withDatabase(database, accountsLayer, function*() {
    const { id: orgId, slug } = yield* findOrgOrDefault(org)
    return yield* Effect.mapError(
      (yield* StaffMembers).remove({ orgId, email, by: { _tag: "Operator" } }),
      ({ code, message }) =>
        code === "invalid_request" ? new OperatorError(message) : new OperatorError(
          `${slug} has no staff member ${email}. List staff members with trailbook staff list.`
        )
    )
  })
  if (json) Print.json(staffMemberView(member))
  else Print.line(`Removed ${email} from the staff.`)
}
