import { type Actor, ApiKeys, makeHostActor, toActor } from "@trailbook/core/actor"
import type { OrgStore } from "@trailbook/core/org"
import { serve } from "@trailbook/mcp/stdio"
import { buildMcpUrl, proxyStdio } from "@trailbook/mcp/stdioProxy"
import type { ToolFilter } from "@trailbook/mcp/ToolFilter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { readVersion } from "@trailbook/runtime/readVersion"
import { draftsLayer } from "@trailbook/runtime/service/draftsLayer"
import { makeWeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import { buildDomainServices, type DomainOptions } from "@trailbook/server/buildDomainServices"
import {
  assertSettingsComplete,
  listMissingDraftsSettings,
  listMissingWeatherSettings
} from "@trailbook/server/dependentSettings"
import { runProgram } from "@trailbook/server/runProgram"
import { UsageError } from "@trailbook/server/setting/UsageError"
import { renderResultView } from "@trailbook/web/assistant/renderResultView"
import * as Effect from "effect/Effect"
import process from "node:process"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { requireDatabaseFile } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"

export const run: CommandRunner<"mcp"> = async ({ assistedDatabase, assistedOrg: org, key, url, ...settings }) => {
  const { readOnly, schemas, toolsets } = settings
  if (url !== undefined) {
    if (key === undefined) throw new UsageError("--url requires an API key. Set TRAILBOOK_KEY or --key.", "mcp")
    const query = { toolsets: toolsets.join(","), readonly: readOnly ? "1" : "0", schemas }
    await proxyStdio({ url: buildMcpUrl(url, query), key, input: process.stdin, output: process.stdout })
  } else if (assistedDatabase === undefined) {
    throw new UsageError("Set --database for a local database or --url for a remote server.", "mcp")
  } else {
    assertSettingsComplete("mcp", ...listMissingWeatherSettings(settings), ...listMissingDraftsSettings(settings))
    const selection: ToolFilter = { readOnly, schemas, toolsets: new Set(toolsets) }
    const options = {
      ...settings,
      database: requireDatabaseFile(assistedDatabase),
      drafter: draftsLayer(settings),
      weather: makeWeatherLayers(settings)
    }
    await runProgram(serveLocal(options, { key, org, selection }))
  }
}

interface McpSettings {
  readonly key: string | undefined
  readonly org: string | undefined
  readonly selection: ToolFilter
}

/**
 * Runs operations in this process, directly on the database. A server or worker on the same database sends the emails.
 */
const serveLocal = (options: DomainOptions, { key, org, selection }: McpSettings) =>
  Effect.scoped(Effect.flatMap(buildDomainServices(options), (domain) =>
    Effect.gen(function*() {
      const actor = yield* key === undefined ? makeOrgActor(org) : verifyKeyActor(key, org)
      yield* serve({ actor, toolFilter: selection, views: renderResultView }, { version: readVersion() })
    }).pipe(Effect.provide(domain))))

/** Returns an actor with full access to the org. Anyone who can access the database has this access anyway. */
const makeOrgActor = (org: string | undefined): Effect.Effect<Actor["Type"], OperatorError, OrgStore> =>
  Effect.map(findOrgOrDefault(org), ({ id: orgId }) => makeHostActor({ orgId, source: "mcp" }))

/** Returns the actor for an API key. The key determines the org and the scopes. */
const verifyKeyActor = (token: string, org: string | undefined) =>
  Effect.gen(function*() {
    const key = yield* Effect.mapError(
      (yield* ApiKeys).verify(token),
      () => new OperatorError("The API key is not valid for this database: it is unknown, revoked, or expired.")
    )
    if (org !== undefined && (yield* findOrgOrDefault(org)).id !== key.orgId) {
      return yield* Effect.fail(new OperatorError(`The API key does not belong to ${JSON.stringify(org)}.`))
    }
    return toActor(key, "mcp")
  })
