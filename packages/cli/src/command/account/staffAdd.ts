import { memberView, StaffMembers } from "@trailbook/core/staff"
import { accounts } from "@trailbook/runtime/accounts"
import { Failure } from "@trailbook/runtime/Failure"
import { makeSignInLink } from "@trailbook/runtime/signInLink"
import { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"staff add"> = async ({
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
  const { member, url } = await withDatabase(database, accounts, function*() {
    const { id: orgId } = yield* orgIdFromDetails(org)
    const { add } = yield* StaffMembers
    const member = yield* Effect.mapError(
      add({
        orgId,
        email,
        name,
        role,
        notify: notify ? true : noNotify ? false : undefined,
        by: { _tag: "Operator" }
      }),
      ({ message }) => new Failure(message)
    )
    return { member, url: link ? yield* Effect.orDie(makeSignInLink(orgId, email, publicUrl)) : undefined }
  })
  if (json) Print.json({ ...memberView(member), ...(url === undefined ? {} : { sign_in_url: url }) })
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
