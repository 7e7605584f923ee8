import { accounts } from "@trailbook/runtime/accounts"
import { createOrg } from "@trailbook/runtime/createOrg"
import { redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { makeSignInLink } from "@trailbook/runtime/signInLink"
import { runProgram } from "@trailbook/server/runProgram"
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import { isMissing } from "../emptyDatabase.ts"
import * as Print from "../Print.ts"

export const run: Run<"org create"> = async (
  { currency, database, firstEmail: email, json, orgName: name, owner, plan, timezone, workerPublicUrl: publicUrl }
) => {
  const isNew = isMissing(database)
  const { link, org, token } = await runProgram(
    Effect.gen(function*() {
      const result = yield* createOrg({ name, timezone, plan, currency, email, owner })
      if (owner === undefined) return { ...result, link: undefined }
      return { ...result, link: yield* Effect.orDie(makeSignInLink(result.org.id, owner, publicUrl)) }
    }).pipe(Effect.provide(accounts(database)))
  )
  if (json) {
    Print.json({ org_id: org.id, slug: org.slug, api_key: token, ...(link === undefined ? {} : { sign_in_url: link }) })
  } else {
    Print.line(`Created ${org.name} as ${org.slug} (${org.id}).`)
    Print.line(`API key: ${token}`)
    if (email !== undefined) Print.line(`${email} is notified of guest messages.`)
    if (link !== undefined) {
      Print.line(`${owner} is the owner and is notified of guest messages. Sign in:`)
      Print.line(link)
      Print.note(
        "The link works once and expires after 15 minutes. To create another link, run trailbook staff add --link."
      )
    }
    if (isNew) Print.note(`${redactUrl(database)} did not exist, so it was created.`)
    Print.note("Store the key now. Only its hash is stored, so it cannot be shown again.")
  }
}
