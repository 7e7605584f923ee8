import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Effect from "effect/Effect"
import { accounts, orgOf } from "../runtime/accounts.ts"
import { existing } from "../runtime/existing.ts"
import { runProgram } from "../runtime/runProgram.ts"
import type { Run } from "./Command.ts"
import { Failure, UsageError } from "./CommandError.ts"
import * as Print from "./Print.ts"
import { staffView } from "./staffView.ts"

/**
 * @category commands
 */
export const run: Run<"staff add"> = async ({
  database,
  json,
  memberEmail: email,
  memberName: name,
  noNotify,
  notify,
  org
}) => {
  if (notify && noNotify) throw new UsageError("Give --notify or --no-notify, not both.", "staff add")
  const member = await runProgram(
    Effect.gen(function*() {
      const { id: orgId } = yield* orgOf(org)
      const { add } = yield* StaffMembers
      return yield* Effect.mapError(
        add({ orgId, email, name, notify: notify ? true : noNotify ? false : undefined }),
        ({ message }) => new Failure(message)
      )
    }).pipe(Effect.provide(accounts(existing(database))))
  )
  if (json) Print.json(staffView(member))
  else {
    const who = member.name === "" ? email : `${member.name} (${email})`
    Print.line(`${who} is on the staff and gets ${member.notify ? "a" : "no"} mail when a guest writes.`)
  }
  return 0
}
