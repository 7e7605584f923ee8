import { type Actor, host } from "@trailbook/core/actor/Actor"
import { actorOf } from "@trailbook/core/actor/ApiKey"
import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import type { OrgStore } from "@trailbook/core/org/OrgStore"
import { addressOf, forward } from "@trailbook/mcp/forward"
import type { Selection } from "@trailbook/mcp/Selection"
import { serve } from "@trailbook/mcp/stdio"
import * as Effect from "effect/Effect"
import process from "node:process"
import { orgOf } from "../runtime/accounts.ts"
import { existing } from "../runtime/existing.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { domainOf, type DomainOptions } from "../server/domainOf.ts"
import { draftsOf } from "../server/draftsOf.ts"
import { skyOf } from "../server/skyOf.ts"
import { complete, draftsMissing, skyMissing } from "../server/together.ts"
import { version } from "../version.ts"
import type { Run } from "./Command.ts"
import { Failure, UsageError } from "./CommandError.ts"

/**
 * @category commands
 */
export const run: Run<"mcp"> = async ({ assistedDatabase, assistedOrg: org, key, url, ...settings }) => {
  const { readOnly, schemas, toolsets } = settings
  if (url !== undefined) {
    if (key === undefined) throw new UsageError("A server asks for a key: set TRAILBOOK_KEY or give --key.", "mcp")
    const query = { toolsets: toolsets.join(","), readonly: readOnly ? "1" : "0", schemas }
    await forward({ url: addressOf(url, query), key, input: process.stdin, output: process.stdout })
  } else if (assistedDatabase === undefined) {
    throw new UsageError("Give --database to work on a database, or --url to work on a server.", "mcp")
  } else {
    complete("mcp", ...skyMissing(settings), ...draftsMissing(settings))
    const selection: Selection = { readOnly, schemas, toolsets: new Set(toolsets) }
    const options = {
      ...settings,
      database: existing(assistedDatabase),
      drafter: draftsOf(settings),
      sky: skyOf(settings)
    }
    await runProgram(local(options, { key, org, selection }))
  }
}

interface Given {
  readonly key: string | undefined
  readonly org: string | undefined
  readonly selection: Selection
}

/** In this process, beside whatever serves the database; mails leave when one does. */
const local = (options: DomainOptions, { key, org, selection }: Given) =>
  Effect.scoped(Effect.flatMap(domainOf(options), (domain) =>
    Effect.gen(function*() {
      const actor = yield* key === undefined ? owner(org) : holder(key, org)
      yield* serve({ actor, selection }, { version: version() })
    }).pipe(Effect.provide(domain))))

/** Whoever has the database has everything in it. */
const owner = (org: string | undefined): Effect.Effect<Actor["Type"], Failure, OrgStore> =>
  Effect.map(orgOf(org), ({ id: orgId }) => host({ orgId, door: "mcp" }))

/** A key is for its org and its scopes, here as anywhere. */
const holder = (token: string, org: string | undefined) =>
  Effect.gen(function*() {
    const key = yield* Effect.mapError(
      (yield* ApiKeys).verify(token),
      () => new Failure("The key opens nothing in this database: it is another's, revoked or expired.")
    )
    if (org !== undefined && (yield* orgOf(org)).id !== key.orgId) {
      return yield* Effect.fail(new Failure(`The key is not one of ${JSON.stringify(org)}.`))
    }
    return actorOf(key, "mcp")
  })
