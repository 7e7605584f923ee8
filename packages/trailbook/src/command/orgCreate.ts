import * as Effect from "effect/Effect"
import { accounts } from "../runtime/accounts.ts"
import { createOrg } from "../runtime/createOrg.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { makeSignInLink } from "../runtime/signInLink.ts"
import { redactUrl } from "../setting/databaseUrl.ts"
import type { Run } from "./Command.ts"
import { isMissing } from "./emptyDatabase.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"org create"> = async (
  { currency, database, firstEmail: email, json, orgName: name, owner, plan, timezone, workerPublicUrl: publicUrl }
) => {
  const isNew = isMissing(database)
  const { link, org, token } = await runProgram(
    Effect.gen(function*() {
      const made = yield* createOrg({ name, timezone, plan, currency, email, owner })
      return { ...made, link: owner === undefined ? undefined : yield* makeSignInLink(made.org.id, owner, publicUrl) }
    }).pipe(Effect.provide(accounts(database)))
  )
  if (json) {
    Print.json({ org_id: org.id, slug: org.slug, api_key: token, ...(link === undefined ? {} : { sign_in_url: link }) })
  } else {
    Print.line(`${org.name} is open as ${org.slug} (${org.id}).`)
    Print.line(`API key: ${token}`)
    if (email !== undefined) Print.line(`${email} gets a mail when a guest writes.`)
    if (link !== undefined) {
      Print.line(`${owner} is the owner, gets a mail when a guest writes, and signs in here:`)
      Print.line(link)
      Print.note("The link can be used once, in the next 15 minutes. staff add --link prints another.")
    }
    if (isNew) Print.note(`${redactUrl(database)} was made for it: there was no such file.`)
    Print.note("Keep the key now: it is stored as a digest only and cannot be shown again.")
  }
}
