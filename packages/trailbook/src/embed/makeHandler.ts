import * as JsonLog from "@trailbook/runtime/JsonLog"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Lazy } from "./Lazy.ts"
import type { EffectRunner, Lifecycle } from "./Lifecycle.ts"
import type { ParsedOptions } from "./option/parseOptions.ts"
import type { Trailbook } from "./Trailbook.ts"

type OrgId = (slugOrId: string | undefined, call: EffectRunner) => Promise<string>

/** Creates the HTTP handler with the configured surfaces. */
export const makeHandler = (lifecycle: Lifecycle, orgId: OrgId, configuration: ParsedOptions): Trailbook["handler"] => {
  const { inside } = lifecycle
  const handler = new Lazy(async () => {
    // Load the pages and the HTTP stack on the first request. They make up a third of the code, and many host
    // applications do not use them.
    const [{ buildHttpStack }, { scope }] = await Promise.all([import("./buildHttpStack.ts"), lifecycle.opened()])
    return inside.run(
      Effect.provideService(buildHttpStack((slugOrId) => orgId(slugOrId, inside), configuration), Scope.Scope, scope)
    )
  })
  return async (request, connection = {}) => {
    try {
      return await lifecycle.runCall(async () => (await handler.get())(request, connection))
    } catch (error) {
      if (JsonLog.isLevelEnabled("error", configuration.logLevel)) {
        const details = error instanceof Error ? error.stack ?? error.message : String(error)
        configuration.log(JsonLog.formatEntry(new Date(), "error", "Request failed", { error: details }))
      }
      return Response.json({ error: { code: "unavailable", message: "The service is unavailable." } }, {
        status: 503,
        headers: { "cache-control": "no-store", "retry-after": "1" }
      })
    }
  }
}
