/** A server in a separate process that calls a fake Stripe on this machine. Tests kill the server. */
import { databaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { startServer } from "@trailbook/server/startServer"
import { join } from "node:path"

const [url = "", folder = "", stripePort = "", secretsKeys = ""] = process.argv.slice(2)
const database = databaseUrl.read(url)
if (!("value" in database)) throw new Error(`${url} is not a database URL.`)

process.on("disconnect", () => process.exit(0))
const { baseUrl } = await startServer({
  database: database.value,
  port: 0,
  rateLimitPerSecond: 0,
  secretsKeys,
  outbox: join(folder, "outbox"),
  stripe: { host: "127.0.0.1", port: Number(stripePort), protocol: "http", timeoutMs: 1000 }
})
process.send?.(baseUrl)
