import { assert, describe, it } from "vitest"
import { isInstalled, proxyNames } from "./Proxy.ts"
import { restartServers } from "./rolling.ts"

const proxies = proxyNames.filter(isInstalled)
const missingProxies = proxyNames.filter((name) => !proxies.includes(name))

describe("a rolling restart", () => {
  it(`loses no request behind nginx, HAProxy, and Caddy`, async (context) => {
    if (missingProxies.length > 0) process.stdout.write(`Not installed, so not tested: ${missingProxies.join(", ")}.\n`)
    if (proxies.length === 0) return context.skip("No proxy is installed.")
    const { failed, requests } = await restartServers({ proxies, restarts: 2, clients: 8 })
    assert.deepStrictEqual(failed, [])
    assert.isAbove(requests, 100)
  })
})
