/** Serves the booking page, the dashboard, the REST API, and MCP on one port, with a SQLite database. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import process from "node:process"
import { createTrailbook } from "trailbook"
import { toNodeHandler } from "trailbook/node"
import { apply } from "./apply.ts"
import { outfit } from "./outfitter.ts"

if (existsSync(".env")) process.loadEnvFile()
const { DATA_FOLDER = "data", HOST = "127.0.0.1", OWNER_EMAIL = "owner@example.com", PORT = "4000" } = process.env
const publicUrl = process.env["PUBLIC_URL"] ?? `http://127.0.0.1:${PORT}`

const outbox = join(DATA_FOLDER, "outbox")
mkdirSync(outbox, { recursive: true, mode: 0o700 })

const { activities: _, ...org } = outfit
const trailbook = await createTrailbook({
  database: `sqlite:${join(DATA_FOLDER, "trailbook.sqlite")}`,
  org,
  publicUrl,
  http: { surfaces: ["rest", "mcp", "pages", "widget", "dashboard"] },
  mailer: {
    // Writes each email to a file. To send email, pass `to`, `subject`, `text`, and `html` to nodemailer or your
    // provider here.
    send: async ({ id, subject, text, to }) =>
      writeFileSync(join(outbox, `${id}.txt`), `To: ${to.email}\nSubject: ${subject}\n\n${text}\n`)
  }
  // To take payments, add `payments`: https://github.com/trailbook/trailbook/blob/main/docs/how-to/write-a-payment-adapter.md
})

await apply(trailbook, outfit, Date.now())
await trailbook.staff.add({ email: OWNER_EMAIL, role: "owner" })
await trailbook.worker.start()

const server = createServer(toNodeHandler(trailbook))
server.listen(Number(PORT), HOST, async () => {
  const { slug } = await trailbook.org.get()
  console.log(`Booking page  ${publicUrl}/book/${slug}`)
  // Other people can read the log of a public server, so owners request a link at /sign-in instead.
  const isLocal = new URL(publicUrl).hostname === "127.0.0.1"
  const signIn = isLocal ? await trailbook.staff.signInLink({ email: OWNER_EMAIL }) : `${publicUrl}/sign-in`
  console.log(`Dashboard     ${signIn}`)
  console.log(`REST API      ${publicUrl}/reference`)
  console.log(`Assistants    ${publicUrl}/mcp`)
  console.log(`Emails        ${outbox}`)
})

const stop = async () => {
  server.close()
  await trailbook.close()
  // Dashboard pages keep a connection open for live updates.
  server.closeAllConnections()
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
