/** Starts the real server, or a server with the same mount and adapters that serves the suite's own tools. */
import { ApiKeys } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { layerNone } from "@trailbook/core/webhook"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as Mcp from "@trailbook/mcp/http/handler"
import type { McpHandlers } from "@trailbook/mcp/McpHandlers"
import * as Memory from "@trailbook/memory"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { type Proxy, proxy } from "./proxy.ts"

const domain = coreLayer({ batches: "none" }).pipe(
  Layer.provideMerge(Layer.mergeAll(Memory.layer, NodeIds.layer, Payments.layerNone, layerNone))
)

/** Starts a server. `assistant` replaces the outfitter's operations. */
export const start = async (assistant?: McpHandlers): Promise<Proxy> => {
  const scope = Effect.runSync(Scope.make())
  const launch = Effect.gen(function*() {
    const org = yield* (yield* Orgs).create({ name: "Salida River Co.", timezone: "America/Denver" })
    const { token } = yield* (yield* ApiKeys).create({ orgId: org.id, name: "suite" })
    const baseMount = yield* makeMcpMount(undefined)
    const mount = assistant === undefined
      ? baseMount
      : { ...baseMount, answer: yield* Mcp.makeLazyHandler(assistant, { version: "0.1.0" }) }
    const handler = yield* Handler.make({ rateLimit: { perSecond: 0 }, mounts: [mount] })
    const { host, port } = yield* Serve.listen({ handler, port: 0 })
    return { token, url: `http://${host}:${port}` }
  })
  const { token, url } = await Effect.runPromise(launch.pipe(Effect.provide(domain), Scope.extend(scope)))
  const { close, url: address } = await proxy(url, token)
  return {
    url: address,
    close: async () => {
      await close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
