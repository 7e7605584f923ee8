import * as Effect from "effect/Effect"
import { accounts } from "../runtime/accounts.ts"
import { createOrg } from "../runtime/createOrg.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { shown } from "../setting/databaseUrl.ts"
import type { Run } from "./Command.ts"
import { isMissing } from "./emptyDatabase.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"org create"> = async (
  { currency, database, firstEmail: email, json, orgName: name, plan, timezone }
) => {
  const isNew = isMissing(database)
  const { org, token } = await runProgram(
    Effect.provide(createOrg({ name, timezone, plan, currency, email }), accounts(database))
  )
  if (json) Print.json({ org_id: org.id, slug: org.slug, api_key: token })
  else {
    Print.line(`${org.name} is open as ${org.slug} (${org.id}).`)
    Print.line(`API key: ${token}`)
    if (email !== undefined) Print.line(`${email} gets a mail when a guest writes.`)
    if (isNew) Print.note(`${shown(database)} was made for it: there was no such file.`)
    Print.note("Keep the key now: it is stored as a digest only and cannot be shown again.")
  }
  return 0
}
