import Database from "better-sqlite3"
import { createServer } from "node:http"
import { Arrivals } from "./Arrivals.ts"
import { Inbox } from "./Inbox.ts"
import { inNode } from "./inNode.ts"

const { PORT = "5000", WEBHOOK_SECRET = "" } = process.env
const database = new Database(process.argv[2] ?? "arrivals.sqlite")
const inbox = new Inbox(database)
const arrivals = new Arrivals(database)

const work = () => {
  inbox.work(arrivals.handle)
  console.log(JSON.stringify(arrivals.list()))
}

// First, process events that were received before a crash.
work()
const server = createServer(inNode(WEBHOOK_SECRET, inbox, () => setImmediate(work)))
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}/hooks/trailbook`)
})
