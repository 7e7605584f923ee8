import { Orgs, OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import { accountsLayer, makeSignInLink } from "@trailbook/runtime/accountsLayer"
import { storageLayer } from "@trailbook/runtime/loadAdapter"
import { createOrg } from "@trailbook/runtime/org"
import { redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import * as Effect from "effect/Effect"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { isDatabaseFileMissing } from "../database/formatEmptyDatabaseNotice.ts"
import { withDatabase } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const create: CommandRunner<"org create"> = async (
  { currency, database, firstEmail: email, json, orgName: name, owner, plan, timezone, workerPublicUrl: publicUrl }
) => {
  const isNew = isDatabaseFileMissing(database)
  const { link, org, token } = await runProgram(
    Effect.gen(function*() {
      const result = yield* createOrg({ name, timezone, plan, currency, email, owner })
      if (owner === undefined) return { ...result, link: undefined }
      return { ...result, link: yield* Effect.orDie(makeSignInLink(result.org.id, owner, publicUrl)) }
    }).pipe(Effect.provide(accountsLayer(database)))
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

export const list: CommandRunner<"org list"> = async ({ database, json }) => {
  const orgs = await withDatabase(database, storageLayer, function*() {
    return yield* (yield* OrgStore).all
  })
  if (json) Print.json({ data: orgs.map(view) })
  else if (orgs.length === 0) Print.note("No outfitters. To create an outfitter, run trailbook org create.")
  else {
    Print.table(orgs, {
      SLUG: ({ slug }) => slug,
      NAME: ({ name }) => name,
      "TIME ZONE": ({ timezone }) => timezone,
      CREATED: ({ createdAt }) => Print.formatDay(createdAt),
      ID: ({ id }) => id
    })
  }
}

const view = ({ createdAt, currency, id, name, slug, timezone }: Org) => ({
  id,
  slug,
  name,
  timezone,
  currency,
  created_at: Instant.format(createdAt)
})

export const update: CommandRunner<"org update"> = async ({ database, json, newPlan, org }) => {
  const { id, plan, slug } = await withDatabase(database, accountsLayer, function*() {
    const { id } = yield* findOrgOrDefault(org)
    return yield* (yield* Orgs).update(id, { plan: newPlan })
  })
  if (json) Print.json({ org_id: id, slug, plan })
  else Print.line(`${slug} is on the ${plan} plan.`)
}
