/**
 * `npm run test:rolling` restarts servers 20 times under load from 32 clients, behind nginx, HAProxy, and Caddy.
 * `ROLLING_DELAY` replaces the documented shutdown delay. Exits with 1 if a request failed.
 */
import { isInstalled, proxyNames } from "./Proxy.ts"
import { restartServers } from "./rolling.ts"

const proxies = proxyNames.filter(isInstalled)
for (const name of proxyNames) if (!proxies.includes(name)) process.stdout.write(`${name} is not installed: skipped.\n`)
const { failed, requests } = await restartServers({
  proxies,
  restarts: 20,
  clients: 32,
  delaySeconds: Number(process.env["ROLLING_DELAY"] ?? 5),
  onRestart: (restart, { failed, requests }) =>
    void process.stdout.write(`restart ${restart}: ${requests} requests, ${failed.length} failed\n`)
})
for (const line of failed.slice(0, 50)) process.stdout.write(`${line}\n`)
process.stdout.write(`${requests} requests, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 && proxies.length > 0 ? 0 : 1
